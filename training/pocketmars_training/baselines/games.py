"""The tasks for the baselines."""

import numpy as np

from pocketmars_agents.games.pocket_mars.handicap_rating import fit
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import DUEL
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from pocketmars_training.baselines.task import Task, WinShareOf
from pocketmars_training.common.training_spec import GameKind, Matchup

CYBORG: GameKind = {"level": "cyborg", "handicap": 0}


def cyborg_rating(win_share_of: WinShareOf, games: int) -> float:
    """Return the handicap rating at the level cyborg, computed from the win shares at all handicaps."""
    handicaps = np.arange(MAX_HANDICAP + 1)
    shares = [
        win_share_of(Matchup(f"handicap_{handicap}", SOLO_ID, {**CYBORG, "handicap": handicap}))
        for handicap in handicaps.tolist()
    ]
    counts = np.full((1, len(handicaps)), games, dtype=np.float64)
    return float(fit(handicaps, counts, counts * np.array(shares))[0])


def two_player_task(name: str, title: str, game: GameSpec, environment: str, kind: GameKind) -> Task:
    """Return a task with a matchup against `greedy`, also used for training, and one against `planner`."""
    matchups = [Matchup(bot, environment, {**kind, "opponents": bot}) for bot in ("greedy", "planner")]
    return Task(
        name=name,
        title=title,
        game=game,
        training=matchups[0],
        kind=kind,
        players=2,
        matchups=tuple(matchups),
    )


SOLO = Task(
    name="solo",
    title="Pocket Mars, solo game, level cyborg",
    game=POCKET_MARS,
    # A random player almost never wins at this level, so the reward "win" would be almost constant at first.
    training=Matchup("cyborg", SOLO_ID, {**CYBORG, "reward": "margin"}),
    kind={"mode": "solo", **CYBORG},
    players=1,
    matchups=(Matchup("cyborg", SOLO_ID, CYBORG),),
    rating=cyborg_rating,
)
TABLE = two_player_task("table", "Pocket Mars, two players", POCKET_MARS, TABLE_ID, {"players": 2})
EQUAL_DECKS = two_player_task(
    "duel", "Project Mars, equal decks", PROJECT_MARS, PROJECT_MARS.id_of(DUEL.name), {"mode": "same"}
)
TASKS = {task.name: task for task in (SOLO, TABLE, EQUAL_DECKS)}
"""The tasks by name."""
