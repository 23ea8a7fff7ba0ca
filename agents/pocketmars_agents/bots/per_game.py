"""What an agent keeps for each game that it plays."""

from collections.abc import Callable
from typing import Generic, TypeVar

from pocketmars_env.core.game_spec import GameSpec

T = TypeVar("T")


class PerGame(Generic[T]):
    """An object for each game, made when the agent first plays it. An agent's name does not say which it is.

    Args:
        make: makes the object for a game.

    """

    def __init__(self, make: Callable[[GameSpec], T]) -> None:
        self._make = make
        self._made: dict[GameSpec, T] = {}

    def of(self, spec: GameSpec) -> T:
        """The object for a game."""
        if spec not in self._made:
            self._made[spec] = self._make(spec)
        return self._made[spec]
