"""Training spec of Project Mars; one policy is trained for the modes `same`, `starter` and `random`."""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Views
from pocketmars_env.games.project_mars.rules.actions import PLAY, UTILITY
from pocketmars_env.games.project_mars.rules.cards import CARD_NUMBER, CARDS
from pocketmars_env.games.project_mars.small import NAMES, SmallGame
from pocketmars_env.games.project_mars.spec import DUEL, SPEC
from pocketmars_training.common.training_spec import Matchup, TrainingSpec, two_player_task
from pocketmars_training.flawed import AlwaysPasses, Flawed, name_of


def duel_matchups(players: Sequence[int]) -> list[Matchup]:
    """Return the matchups of the evaluation; `players` is ignored, because all matchups have two players."""
    return [
        Matchup(f"{bot}_{mode}", SPEC.id_of(DUEL.name), {"mode": mode, "opponents": bot})
        for bot, mode in (("greedy", "same"), ("planner", "same"), ("planner", "random"))
    ]


class NeverPlays(Flawed):
    """`duel` without cards for the field."""

    def avoided(self, views: Views) -> NDArray[np.bool_]:
        numbers = np.arange(views.spec.num_actions)
        return np.tile((numbers >= PLAY) & (numbers < UTILITY), (len(views), 1))


EQUAL_DECKS = two_player_task(
    "duel", "Project Mars, equal decks", SPEC, SPEC.id_of(DUEL.name), {"mode": "same"}
)


def small_game(rng: random.Random) -> tuple[SmallGame, States]:
    """Draw a small game with equal decks; see `TrainingSpec`."""
    number = rng.randint(4, 7)
    hand, lanes = rng.randint(2, min(4, number - 1)), rng.choice((1, 1, 2))
    deck = tuple(sorted(rng.choices([card.name for card in CARDS], k=number), key=CARD_NUMBER.__getitem__))
    row = SmallGame((deck, deck), (hand, hand), lanes, 0)
    states = SPEC.codec.blank(1, SPEC.config(small=NAMES[0]))
    row.write(states)
    return row, states


PROJECT_MARS = TrainingSpec(
    game=SPEC,
    matchups=duel_matchups,
    baselines=("greedy", "planner"),
    policy_name="duel",
    kinds=({"mode": "same"}, {"mode": "starter"}, {"mode": "random"}),
    defaults={"players": (2,)},
    tasks=(EQUAL_DECKS,),
    flawed=(name_of(NeverPlays), name_of(AlwaysPasses), "planner"),
    small_game=small_game,
)
