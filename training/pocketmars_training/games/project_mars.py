"""Training spec of Project Mars; one policy is trained for the modes `same`, `starter` and `random`."""

from collections.abc import Sequence

from pocketmars_env.games.project_mars.spec import DUEL, SPEC
from pocketmars_training.common.training_spec import Matchup, TrainingSpec, two_player_task


def duel_matchups(players: Sequence[int]) -> list[Matchup]:
    """Return the matchups of the evaluation; `players` is ignored, because all matchups have two players."""
    return [
        Matchup(f"{bot}_{mode}", SPEC.id_of(DUEL.name), {"mode": mode, "opponents": bot})
        for bot, mode in (("greedy", "same"), ("planner", "same"), ("planner", "random"))
    ]


EQUAL_DECKS = two_player_task(
    "duel", "Project Mars, equal decks", SPEC, SPEC.id_of(DUEL.name), {"mode": "same"}
)

PROJECT_MARS = TrainingSpec(
    game=SPEC,
    matchups=duel_matchups,
    baselines=("greedy", "planner"),
    policy_name="duel",
    kinds=({"mode": "same"}, {"mode": "starter"}, {"mode": "random"}),
    defaults={"players": (2,)},
    tasks=(EQUAL_DECKS,),
)
