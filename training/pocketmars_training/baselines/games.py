"""The tasks for the baselines."""

import numpy as np

from pocketmars_agents.games.pocket_mars.handicap_rating import fit
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import DUEL
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from pocketmars_training.baselines.task import Task, WinShareOf
from pocketmars_training.common.training_spec import GameKind, Matchup

CYBORG: GameKind = {"level": "cyborg", "handicap": 0}
TWO_PLAYERS: GameKind = {"players": 2}
SAME_DECKS: GameKind = {"mode": "same"}
DUEL_ID = PROJECT_MARS.id_of(DUEL.name)


def cyborg_rating(win_share_of: WinShareOf, games: int) -> float:
    """Return the handicap rating at the level cyborg, computed from the win shares at all handicaps."""
    handicaps = np.arange(MAX_HANDICAP + 1)
    shares = [
        win_share_of(Matchup(f"handicap_{handicap}", SOLO_ID, {**CYBORG, "handicap": handicap}))
        for handicap in handicaps.tolist()
    ]
    counts = np.full((1, len(handicaps)), games, dtype=np.float64)
    return float(fit(handicaps, counts, counts * np.array(shares))[0])


def against(environment: str, settings: GameKind) -> tuple[Matchup, ...]:
    """Return one matchup against the bot `greedy` and one against `planner`."""
    return tuple(Matchup(bot, environment, {**settings, "opponents": bot}) for bot in ("greedy", "planner"))


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
TABLE = Task(
    name="table",
    title="Pocket Mars, two players",
    game=POCKET_MARS,
    training=against(TABLE_ID, TWO_PLAYERS)[0],
    kind=TWO_PLAYERS,
    players=2,
    matchups=against(TABLE_ID, TWO_PLAYERS),
)
DUEL_TASK = Task(
    name="duel",
    title="Project Mars, equal decks",
    game=PROJECT_MARS,
    training=against(DUEL_ID, SAME_DECKS)[0],
    kind=SAME_DECKS,
    players=2,
    matchups=against(DUEL_ID, SAME_DECKS),
)
TASKS = {task.name: task for task in (SOLO, TABLE, DUEL_TASK)}
"""The tasks by name."""
