"""Value estimates that agents make."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.agent import Agent
from pocketmars_env.core.game import View

CHANCE = "chance to win"
REWARD = "final reward"
SHARE = "share of the points"


@dataclass(frozen=True)
class Estimate:
    """An agent's action, with a value estimate for the seat to play.

    The kinds of values are `CHANCE`, the win probability; `REWARD`, the expected final reward, which is 1 for
    a sole win and negative for a loss; and `SHARE`, ``1 / seats`` plus a fixed amount for each expected point
    above the mean score of all seats. Values of the kind `CHANCE` can be slightly outside 0..1, because
    searches add a small value for each point of the lead at the end of the game; values of the kind `SHARE`
    are unbounded.
    """

    action: int
    value: float | None  # of the action or of the position; None if the agent computed no estimate
    kind: str = CHANCE

    @property
    def words(self) -> str:
        """The value as text, such as "chance to win 62 %"; empty if there is no value."""
        if self.value is None:
            return ""
        if self.kind == REWARD:
            return f"{self.kind} {self.value:+.2f} (+1 is a win, below 0 is a loss)"
        return f"{self.kind} {100 * min(max(self.value, 0.0), 1.0):.0f} %"


@dataclass(frozen=True)
class Judgement:
    """The values, clipped to 0..1, of a given action (the judged action) and of the best action."""

    best: int  # the action with the highest value; ties go to the judged action
    best_value: float
    value: float  # of the judged action
    kind: str  # of the values; see `Estimate`


def judgement_of(
    actions: NDArray[np.int64], values: NDArray[np.float64], action: int, kind: str
) -> Judgement:
    """Compare an action with the best action, given the legal actions ``(n,)`` and their values ``(n,)``.

    The value of an action that was not evaluated is ``-inf``.
    """
    shares = np.clip(values, 0.0, 1.0)  # values that include points may lie outside 0..1
    value, best_value = float(shares[actions == action][0]), float(shares.max())
    best = action if value >= best_value else int(actions[shares.argmax()])
    return Judgement(best, best_value, value, kind)


@runtime_checkable
class JudgingAgent(Agent, Protocol):
    """An agent that can compare any legal action with the best action."""

    def judge(self, view: View, action: int, rng: np.random.Generator) -> Judgement:
        """Compare the values of an action and of the best action for the seat to play."""


@runtime_checkable
class ValuedAgent(Agent, Protocol):
    """An agent that can return a value estimate along with its action."""

    def estimate(self, view: View, rng: np.random.Generator) -> Estimate:
        """Return the action that `act` would choose with the same random stream, and a value estimate."""


def advice(agent: Agent, view: View, rng: np.random.Generator) -> tuple[int, str]:
    """Return an agent's action and its estimated value as text; the text is empty if there is no estimate."""
    if isinstance(agent, ValuedAgent):
        estimate = agent.estimate(view, rng)
        action, words = int(estimate.action), estimate.words
    else:
        action, words = int(agent.act(view, rng)), ""
    if action not in view.legal:
        raise ValueError(f"action {action} is illegal")
    return action, words
