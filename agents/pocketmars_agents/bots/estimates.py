"""What an agent thinks of a position, for those that can tell."""

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
    """An answer, and what the seat may expect of it.

    Attributes:
        action: the answer.
        value: what it is worth; None if there was nothing to compare.
        kind: what the value is: `CHANCE`, in 0..1; `REWARD`, -1 a loss to 1 a win; or `SHARE`, in 0..1, the
            more the further ahead.

    """

    action: int
    value: float | None
    kind: str = CHANCE

    @property
    def words(self) -> str:
        """The value as a person reads it; empty without one."""
        if self.value is None:
            return ""
        if self.kind == REWARD:
            return f"{self.kind} {self.value:+.2f} (−1 a loss, +1 a win)"
        return f"{self.kind} {100 * min(max(self.value, 0.0), 1.0):.0f} %"


@runtime_checkable
class ValuedAgent(Agent, Protocol):
    """An agent that also tells what it expects."""

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """What `act` would answer with the same stream, and what it is worth to the seat.

        Raises:
            ValueError: if the seat is not asked.

        """
