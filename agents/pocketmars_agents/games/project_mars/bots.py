"""The bots of Project Mars: its evaluation and trained policy."""

import functools
from pathlib import Path

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.bots.puct_agent import OnePolicy
from pocketmars_agents.game_bots import GameBots
from pocketmars_agents.games.project_mars.evaluation import EVALUATION
from pocketmars_agents.ladder.division import FIRST_SEED, SEARCHES, Division
from pocketmars_agents.network.mlp import CompactMlp
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.project_mars.spec import SPEC

FOLDER = Path(__file__).parent / "policies"
DUEL, DUEL_ROLLOUT = FOLDER / "duel.onnx", FOLDER / "rollout" / "duel.onnx"
"""The policy, and a small imitation of it, which plays many times faster in the search `mmd`."""


class Duel(OnePolicy):
    """The network `duel` for both seats."""

    def __init__(self) -> None:
        super().__init__(PolicyAgent(DUEL, name=DUEL.stem))
        self.rollout = OnePolicy(PolicyAgent(DUEL_ROLLOUT))

    def rollout_mlps(self, states: States) -> tuple[CompactMlp, CompactMlp] | None:
        """See `Network.rollout_mlps`."""
        return self.rollout.mlps(states)


@functools.cache
def duel_network() -> Duel:
    """Return the network; its files are read only once."""
    return Duel()


SAME_DECK = Division(
    name="project-mars",
    title="Project Mars",
    opponents=dict.fromkeys(("greedy", "planner", DUEL.stem, "ismcts:100"), SPEC.config(mode="same")),
    bots=("random", "greedy", "planner", DUEL.stem, *SEARCHES),
    first_seed=FIRST_SEED,
)
"""The division for games in which both players have the same deck; otherwise, the decks decide too much."""

BOTS = GameBots(
    game=SPEC,
    evaluation=EVALUATION,
    network=duel_network,
    policies={DUEL.stem: DUEL},
    divisions=(SAME_DECK,),
)
