"""The bots of Project Mars: its evaluation and trained policy."""

import functools
from pathlib import Path

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.bots.puct_agent import OnePolicy
from pocketmars_agents.game_bots import GameBots
from pocketmars_agents.games.project_mars.evaluation import EVALUATION
from pocketmars_agents.ladder.division import FIRST_SEED, SEARCHES, Division
from pocketmars_env.games.project_mars.spec import SPEC

FOLDER = Path(__file__).parent / "policies"
DUEL = FOLDER / "duel.onnx"


@functools.cache
def duel_network() -> OnePolicy:
    """Return the network `duel` for both seats; its file is read only once."""
    return OnePolicy(PolicyAgent(DUEL, name=DUEL.stem))


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
