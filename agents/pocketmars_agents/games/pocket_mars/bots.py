"""The bots of Pocket Mars: its evaluation, trained policies and automaton."""

import functools
import importlib.util
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.game_bots import GameBots, Network
from pocketmars_agents.games.pocket_mars.automaton_agent import AutomatonAgent
from pocketmars_agents.games.pocket_mars.evaluation import EVALUATION
from pocketmars_agents.games.pocket_mars.suites import DA_2
from pocketmars_agents.ladder.division import FIRST_SEED, SEARCHES, Division
from pocketmars_agents.network.mlp import CompactMlp
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.config import LEVELS, GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT
from pocketmars_env.games.pocket_mars.spec import SPEC

FOLDER = Path(__file__).parent / "policies"

SOLO, MULTI, DA = "solo", "multi", "da_seat"
POLICIES = {name: FOLDER / f"{name}.onnx" for name in (SOLO, MULTI, DA)}
"""The policies for solo players, for games of 2 to 4 players, and for Devious Automatics, by name."""


def can_play_policies() -> bool:
    """Return whether onnxruntime (extra ``policies``) is installed."""
    return importlib.util.find_spec("onnxruntime") is not None


@functools.cache
def shipped_policy(name: str) -> PolicyAgent:
    """Return the agent that plays a shipped policy; its file is read only once."""
    return PolicyAgent(POLICIES[name], name=name)


class Everywhere(Network):
    """Network that evaluates each position with the shipped policy that was trained for the seat to play."""

    def mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        names = (SOLO, DA) if states["solo"][0] else (MULTI, MULTI)
        players, automatics = (shipped_policy(name).compact_mlp for name in names)
        return None if players is None or automatics is None else (players, automatics)

    def evaluate(
        self, states: States, observations: NDArray[np.float32], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        if not states["solo"][0]:
            return shipped_policy(MULTI).evaluate(observations, masks)
        is_da = states["to_play"] == DA_SEAT
        if not is_da.any():
            return shipped_policy(SOLO).evaluate(observations, masks)
        logits = np.empty(masks.shape, dtype=np.float32)
        rewards = np.empty(len(masks), dtype=np.float32)
        for name, rows in ((SOLO, ~is_da), (DA, is_da)):
            logits[rows], rewards[rows] = shipped_policy(name).evaluate(observations[rows], masks[rows])
        return logits, rewards


def several(players: int) -> Division:
    """Return the division for games of the given number of players."""
    return Division(
        name=f"{players}-players",
        title=f"Games of {players} players",
        opponents=dict.fromkeys(("greedy", "planner", MULTI, "ismcts:100"), GameConfig(players=players)),
        bots=("random", "greedy", "planner", MULTI, *SEARCHES),
        first_seed=FIRST_SEED,
    )


ALONE = Division(
    name="solo",
    title="The solo game",
    opponents={
        f"{level.replace('_', '-')}-{handicap}": DA_2.config(level, handicap)
        for level in LEVELS
        for handicap in DA_2.handicaps
    },
    bots=("random", "greedy", "planner", SOLO, *SEARCHES),
    first_seed=DA_2.first_seed,  # the games that `bench` plays
)

BOTS = GameBots(
    game=SPEC,
    evaluation=EVALUATION,
    network=Everywhere,
    policies=POLICIES,
    earlier_names={MULTI: "table"},
    agents={AutomatonAgent: "in the DA's seat"},
    divisions=(ALONE, several(2), several(4)),
)
