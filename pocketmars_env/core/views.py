"""Many games at once, each as one seat sees it."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.core.arrays import check_states, index_array
from pocketmars_env.core.game import Game
from pocketmars_env.core.view import View
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules.state import States, new_states


class Views:
    """What the seats that are asked may use to decide; ``views[k]`` is one of them as a `View`.

    Like a `View` it never holds a true state: see there.

    Args:
        states: ``(N,)`` `STATE`: the true games.
        games: ``(n,)`` int64: which of them to view.
        seats: ``(n,)`` int64: the seat in each of those.

    Attributes:
        seats: as above.
        states: ``(n,)`` `STATE`: for each view one world that fits it, the same for all that do;
            for compiled searchers, which draw others from it with `batch.determinize_at`.

    Raises:
        ValueError: for arrays of another shape or dtype, or for a game or seat that does not exist.

    """

    def __init__(self, states: States, games: NDArray[np.int64], seats: NDArray[np.int64]) -> None:
        check_states(states)
        count = len(games) if isinstance(games, np.ndarray) and games.ndim == 1 else -1
        self.seats = index_array("seats", seats, count)
        self.states = new_states(count)
        bad = batch.views_of(states, index_array("games", games, count), self.seats, self.states)
        if bad >= 0:
            raise ValueError(f"there is no game {games[bad]} with a seat {seats[bad]}")

    def __len__(self) -> int:
        return len(self.states)

    def __getitem__(self, k: int) -> View[Game]:
        if not 0 <= k < len(self):
            raise IndexError(f"view must be in 0..{len(self) - 1}, got {k}")
        return View(self.states[k : k + 1], int(self.seats[k]), Game._of)

    @cached_property
    def observations(self) -> NDArray[np.float32]:
        """``(n, OBSERVATION_SIZE)`` float32 in [0, 1]: what the seats see."""
        return self._observed[0]

    @cached_property
    def masks(self) -> NDArray[np.int8]:
        """``(n, NUM_ACTIONS)`` int8, 1 for a legal action; zeros for a seat that is not asked."""
        return self._observed[1]

    @cached_property
    def _observed(self) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        observations = np.empty((len(self), OBSERVATION_SIZE), dtype=np.float32)
        masks = np.empty((len(self), NUM_ACTIONS), dtype=np.int8)
        batch.observe_all(self.states, self.seats, observations, masks)
        return observations, masks
