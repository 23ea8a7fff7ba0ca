"""What one seat may use to decide: its observation, its legal actions, and sampled worlds."""

from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules.state import States, new_states
from pocketmars_env.games.pocket_mars.snapshots.notation import bookmark, snapshot

GameType = TypeVar("GameType")


class View(Generic[GameType]):
    """A game as one seat sees it.

    A view never holds the true state: the cards that the seat does not know are put in ascending
    order before anything is kept, so there is nothing in it to peek at.

    Attributes:
        seat: the seat whose view it is.
        states: ``(1,)`` `STATE`: one world that fits the view, the same for all that do; for
            compiled searchers, which draw others from it with `batch.determinize_at`.

    """

    def __init__(self, states: States, seat: int, game_of: Callable[[States], GameType]) -> None:
        self.seat = seat
        self._game_of = game_of
        self.states = new_states(1)
        batch.determinize_at(states, 0, seat, np.uint64(0), False, self.states, 0)

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """``(OBSERVATION_SIZE,)`` float32 in [0, 1]: what the seat sees."""
        observation = np.empty(OBSERVATION_SIZE, dtype=np.float32)
        batch.observe_at(self.states, 0, self.seat, observation, np.empty(NUM_ACTIONS, dtype=np.int8))
        return observation

    @cached_property
    def mask(self) -> NDArray[np.int8]:
        """``(NUM_ACTIONS,)`` int8, 1 for a legal action; zeros if the seat is not asked."""
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        batch.mask_at(self.states, 0, self.seat, mask)
        return mask

    @property
    def legal(self) -> list[int]:
        """The seat's legal actions, ascending; empty if it is not asked."""
        return list(np.flatnonzero(self.mask).tolist())

    def sample(self, rng: np.random.Generator) -> GameType:
        """A full game that the seat cannot tell from the true one, all such games equally likely."""
        states = new_states(1)
        seed = rng.integers(0, 2**64, dtype=np.uint64)
        batch.determinize_at(self.states, 0, self.seat, seed, True, states, 0)
        return self._game_of(states)

    def _repr_svg_(self) -> str:
        """The table as the seat sees it, for notebooks."""
        # Views are made by the million, and looked at one by one.
        from pocketmars_env.games.pocket_mars.drawing.table import table_svg

        return table_svg(snapshot(self.states), self.seat, bookmark=bookmark(self.states))
