"""The random bot, a baseline."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game import View, Views


class RandomAgent:
    """Agent that chooses uniformly at random among the legal actions."""

    name = "random"

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return a random legal action."""
        if not view.legal:
            raise ValueError(f"it is not seat {view.seat}'s turn")
        return int(rng.choice(view.legal))

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a random legal action for every view; see `BatchAgent`."""
        actions = np.empty(len(views), dtype=np.int64)
        views.spec.batch.choose_by_words(views.states, seeds, actions)
        return actions
