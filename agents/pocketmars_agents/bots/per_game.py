"""Per-game objects of an agent."""

from collections.abc import Callable
from typing import Generic, TypeVar

from pocketmars_env.core.game_spec import GameSpec

T = TypeVar("T")


class PerGame(Generic[T]):
    """One object per game, made when the agent first plays that game.

    Args:
        make: makes the object of a game.

    """

    def __init__(self, make: Callable[[GameSpec], T]) -> None:
        self._make = make
        self._made: dict[GameSpec, T] = {}

    def of(self, spec: GameSpec) -> T:
        """Returns the object of a game."""
        if spec not in self._made:
            self._made[spec] = self._make(spec)
        return self._made[spec]
