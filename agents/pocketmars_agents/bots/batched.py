"""Base class and seed generation for agents with the method `act_batch`."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game import View, Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.seeds import draw_seed


class BatchedAgent:
    """Base class of agents whose method `act` calls `act_batch` with a single view."""

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return an action for the view, chosen with a seed that is drawn from `rng`.

        Raises:
            ValueError: if it is not the turn of the view's seat.

        """
        return int(self.act_batch(view.as_batch(), seed_for(view, rng))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return an action for every view; see `BatchAgent`."""
        raise NotImplementedError

    def prepare(self, spec: GameSpec) -> None:
        """Compile what decisions in a game need, with messages on stderr, unless it is cached.

        Decisions do this too; preparing the agent before its first decision keeps the time out of it.
        """


def seed_for(view: View, rng: np.random.Generator) -> NDArray[np.uint64]:
    """Draw the seed for one decision from `rng`, and return it as a ``(1,)`` uint64 array."""
    if view.states["to_play"][0] != view.seat:
        raise ValueError(f"it is not seat {view.seat}'s turn")
    return np.array([draw_seed(rng)])
