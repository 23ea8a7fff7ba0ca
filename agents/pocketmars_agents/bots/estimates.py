"""Value estimates of agents."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from pocketmars_env.core.agent import Agent
from pocketmars_env.core.view import View

CHANCE = "chance to win"
REWARD = "final reward"
SHARE = "share of the points"


@dataclass(frozen=True)
class Estimate:
    """An agent's action and its estimated value for the seat.

    Attributes:
        action: the chosen action.
        value: the estimated value; None if there was nothing to compare.
        kind: the meaning of the value: `CHANCE`, in 0..1; `REWARD`, from -1 (loss) to 1 (win); or `SHARE`, in
            0..1, higher the further ahead the seat is.

    """

    action: int
    value: float | None
    kind: str = CHANCE

    @property
    def words(self) -> str:
        """The value as text for people; empty if there is none."""
        if self.value is None:
            return ""
        if self.kind == REWARD:
            return f"{self.kind} {self.value:+.2f} (−1 a loss, +1 a win)"
        return f"{self.kind} {100 * min(max(self.value, 0.0), 1.0):.0f} %"


@runtime_checkable
class ValuedAgent(Agent, Protocol):
    """An agent that also estimates the value of its action."""

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Returns the action that `act` would choose with the same random stream, and its estimated value.

        Raises:
            ValueError: if it is not the seat's turn to decide.

        """
