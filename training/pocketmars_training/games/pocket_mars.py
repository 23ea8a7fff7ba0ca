"""Training for Pocket Mars: its ladders, and its game for one player."""

from collections.abc import Sequence

from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, MAX_HANDICAP
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.run.training_spec import Kind, Rung, SoloSpec, TrainingSpec


def solo_ladder(levels: Sequence[str] = LEVELS) -> list[Rung]:
    """Devious Automatics at each of these levels."""
    return [Rung(level, SOLO_ID, {"level": level}) for level in levels]


def table_ladder(players: Sequence[int]) -> list[Rung]:
    """Every player count against `greedy`, and two players against `planner` too."""
    rungs = [
        Rung(f"greedy_{count}p", TABLE_ID, {"players": count, "opponents": "greedy"})
        for count in sorted(set(players))
    ]
    return [*rungs, Rung("planner_2p", TABLE_ID, {"players": 2, "opponents": "planner"})]


def da_ladder(players: Sequence[str], levels: Sequence[str] = LEVELS) -> list[Rung]:
    """The agent in Devious Automatics' seat, at each of these levels against each of these bots."""
    return [
        Rung(
            f"{player}_{level}",
            TABLE_ID,
            {"mode": "solo", "level": level, "seat": DA_SEAT, "opponents": player},
        )
        for player in players
        for level in levels
    ]


def solo_kinds(handicaps: Sequence[int]) -> list[Kind]:
    """The solo game at each level with each handicap."""
    return [
        {"mode": "solo", "level": level, "handicap": handicap} for level in LEVELS for handicap in handicaps
    ]


POCKET_MARS = TrainingSpec(
    game=SPEC,
    ladder=table_ladder,
    opponent_win_split=("greedy", "planner"),
    solo=SoloSpec(kinds=solo_kinds, max_handicap=MAX_HANDICAP, ladder=tuple(solo_ladder())),
)
