"""Agents for sittings."""

import numpy as np

from pocketmars_env import View


class FirstBot:
    """Gives the first legal answer."""

    name = "first"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return view.legal[0]


class ChanceBot:
    """Gives any legal answer."""

    name = "chance"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal))


class FailingBot(FirstBot):
    """Raises when it is asked for its third answer."""

    name = "failing"
    answers = 0

    def act(self, view: View, rng: np.random.Generator) -> int:
        self.answers += 1
        if self.answers == 3:
            raise RuntimeError("out of order")
        return super().act(view, rng)
