"""The bot that any other has to beat."""

import numpy as np

from pocketmars_env import Game, View


class RandomAgent:
    """Every legal action is equally likely."""

    name = "random"

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        """One of the legal actions.

        Raises:
            ValueError: if the seat is not asked.

        """
        if not view.legal:
            raise ValueError(f"seat {view.seat} is not asked, so there is nothing to choose")
        return int(rng.choice(view.legal))
