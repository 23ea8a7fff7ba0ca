"""The policies that come with the package, and which seat each of them is for."""

import functools
import importlib.util
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.mlp import CompactMlp
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT

FOLDER = Path(__file__).parent / "policies"

SOLO, TABLE, DA = "solo", "table", "da_seat"
SHIPPED = (SOLO, TABLE, DA)
"""For the player of the solo game, for 2 to 4 players, for Devious Automatics' choices."""


def can_play_policies() -> bool:
    """Whether onnxruntime is installed, which the extra ``policies`` brings."""
    return importlib.util.find_spec("onnxruntime") is not None


@functools.cache
def shipped_policy(name: str) -> PolicyAgent:
    """One of `SHIPPED`.

    Raises:
        ValueError: if onnxruntime is not installed.

    """
    return PolicyAgent(FOLDER / f"{name}.onnx", name=name)


def shipped_agent(name: str) -> PolicyAgent:
    """One of `SHIPPED`, by its name or as ``"table:sample"``, which draws from the policy."""
    kind, _, play = name.partition(":")
    return PolicyAgent(FOLDER / f"{kind}.onnx", play or "best", name=name)


class Everywhere:
    """The policies that come with the package, each for its own seats."""

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """The networks for the players and for Devious Automatics; None if one cannot be compiled."""
        names = (SOLO, DA) if states["solo"][0] else (TABLE, TABLE)
        players, automatics = (shipped_policy(name).compact_mlp for name in names)
        return None if players is None or automatics is None else (players, automatics)

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What the policies say of positions of one mode; see `PolicyAgent.evaluate`.

        Args:
            states: ``(n,)`` `STATE`: the positions.
            observations: ``(n, OBSERVATION_SIZE)`` float32, of the seats that are asked.
            masks: ``(n, NUM_ACTIONS)`` int8.

        """
        if not states["solo"][0]:
            return shipped_policy(TABLE).evaluate(observations, masks)
        is_da = states["to_play"] == DA_SEAT
        if not is_da.any():
            return shipped_policy(SOLO).evaluate(observations, masks)
        logits = np.empty(masks.shape, dtype=np.float32)
        rewards = np.empty(len(masks), dtype=np.float32)
        for name, rows in ((SOLO, ~is_da), (DA, is_da)):
            logits[rows], rewards[rows] = shipped_policy(name).evaluate(observations[rows], masks[rows])
        return logits, rewards
