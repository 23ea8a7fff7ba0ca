"""A bot's advice to a person, from nothing but what the person sees."""

from dataclasses import dataclass

import numpy as np

from pocketmars_agents.bots.estimates import Estimate, ValuedAgent
from pocketmars_env.core.agent import Agent
from pocketmars_env.core.view import View


@dataclass(frozen=True)
class Hint:
    """What a bot would do.

    Attributes:
        action: its answer.
        words: the answer in words.
        value: what the bot expects of it, in words; empty if it does not tell.
        by: the bot's name.

    """

    action: int
    words: str
    value: str
    by: str


def estimate_of(agent: Agent, view: View, rng: np.random.Generator) -> Estimate:
    """What an agent would answer, and what it expects, if it can tell."""
    if isinstance(agent, ValuedAgent):
        return agent.estimate(view, rng)
    return Estimate(int(agent.act(view, rng)), None)
