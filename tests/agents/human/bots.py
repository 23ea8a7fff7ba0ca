"""Bots for the tests of games with human players."""

import numpy as np

from pocketmars_env import View


class FirstBot:
    """Plays the first legal action."""

    name = "first"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return view.legal[0]


class ChanceBot:
    """Plays a random legal action."""

    name = "chance"

    def act(self, view: View, rng: np.random.Generator) -> int:
        return int(rng.choice(view.legal))


class FailingBot(FirstBot):
    """Plays the first legal action, but raises an exception at its third decision."""

    name = "failing"
    answers = 0

    def act(self, view: View, rng: np.random.Generator) -> int:
        self.answers += 1
        if self.answers == 3:
            raise RuntimeError("out of order")
        return super().act(view, rng)
