"""An agent's buffers, one set for each thread and game."""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pocketmars_env.core.game_spec import GameSpec

Made = TypeVar("Made")


class PerThread(Generic[Made]):
    """Provides separate buffers for each thread and game, so that several threads can share an agent.

    The buffers are created on first use. A copy of the object does not share its buffers with the original.
    """

    def __init__(self, make: Callable[[GameSpec], Made]) -> None:
        self._make = make
        self._local = threading.local()

    def __call__(self, spec: GameSpec) -> Made:
        """Return the calling thread's buffers for a game."""
        made: dict[GameSpec, Made] = self._local.__dict__.setdefault("made", {})
        if spec not in made:
            made[spec] = self._make(spec)
        return made[spec]

    def __reduce__(self) -> tuple[Any, ...]:
        return PerThread, (self._make,)
