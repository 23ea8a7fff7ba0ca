"""The policy of Project Mars that comes with the package."""

import functools
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.mlp import CompactMlp
from pocketmars_env.core.compiled.states import States

FOLDER = Path(__file__).parent / "policies"
DUEL = "duel"


def shipped_agent(name: str) -> PolicyAgent:
    """The policy by its name, or as ``"duel:sample"``, which samples actions.

    Raises:
        ValueError: if onnxruntime is not installed.

    """
    kind, _, play = name.partition(":")
    return PolicyAgent(FOLDER / f"{kind}.onnx", play or "best", name=name)


@functools.cache
def duel() -> PolicyAgent:
    """The policy, opened once."""
    return shipped_agent(DUEL)


class DuelNetwork:
    """The policy as the network of both seats."""

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """Return the network for players and automata; None if it cannot be compiled."""
        mlp = duel().compact_mlp
        return None if mlp is None else (mlp, mlp)

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate positions; see `PolicyAgent.evaluate`."""
        return duel().evaluate(observations, masks)
