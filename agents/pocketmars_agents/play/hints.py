"""Hints: the action that a bot would choose from a person's view."""

from dataclasses import dataclass

import numpy as np

from pocketmars_agents.bots.estimates import Estimate, ValuedAgent
from pocketmars_env.core.agent import Agent
from pocketmars_env.core.view import View


@dataclass(frozen=True)
class Hint:
    """The action that a bot would choose.

    Attributes:
        action: the action.
        words: the action as text.
        value: the estimated value as text; empty if the bot has none.
        by: the name of the bot.

    """

    action: int
    words: str
    value: str
    by: str


def estimate_of(agent: Agent, view: View, rng: np.random.Generator) -> Estimate:
    """Returns an agent's action, with its estimated value if the agent is a `ValuedAgent`."""
    if isinstance(agent, ValuedAgent):
        return agent.estimate(view, rng)
    return Estimate(int(agent.act(view, rng)), None)
