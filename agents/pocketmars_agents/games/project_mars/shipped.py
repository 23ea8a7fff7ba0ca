"""The policy shipped for Project Mars."""

import functools
from pathlib import Path

from pocketmars_agents.bots.policy_agent import PolicyAgent, policy_named
from pocketmars_agents.bots.puct_agent import OnePolicy

FOLDER = Path(__file__).parent / "policies"
DUEL = "duel"


def shipped_agent(name: str) -> PolicyAgent:
    """Load the policy with the name ``"duel"`` or ``"duel:sample"``; see `policy_named`."""
    return policy_named(FOLDER, name)


@functools.cache
def duel_network() -> OnePolicy:
    """Return `duel` as a network for both seats; the policy is loaded only once."""
    return OnePolicy(shipped_agent(DUEL))
