"""What the policies are trained on and tested on: games, deals and opponents.

A deal is a seed. It fixes the decks and their order, and also all later random numbers of the game, so the
same actions lead to the same game.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_training.common.training_spec import GameKind

SEEN_BOT = "greedy"
"""The bot that plays some of the training games."""
BOT_SHARE = 0.25
DECISIONS, RESPONSE_DECISIONS = 2_000_000, 500_000
"""The training decisions of a policy and of a best response, by default."""
UNSEEN_OPPONENTS = (
    "random",
    "greedy:1",
    "greedy:32",
    "planner:1",
    "planner:2",
    "planner",
    "ismcts:30",
    "ismcts:100",
    "puct:30",
    "puct:100",
    "mmd:20",
    "duel",
    "duel:sample",
    "greedy+10%random",
    "greedy+30%random",
    "planner+10%random",
    "planner+30%random",
    "duel+10%random",
    "duel+30%random",
    "duel+50%planner:1",
)
"""Opponents that no training game has; ``A+P%B`` plays P % of its decisions like B, the others like A."""

FIRST_UNSEEN = 2**41
"""The seed of the first unseen deal; evaluations during training use seeds from 2**40 on."""
TRAINING_DEALS = range(1_000)
UNSEEN_DEALS = range(FIRST_UNSEEN, FIRST_UNSEEN + 200)
MORE_UNSEEN_DEALS = range(FIRST_UNSEEN, FIRST_UNSEEN + 500)


class Case(NamedTuple):
    """What a policy is trained on."""

    kind: GameKind  # the settings of the games
    deals: int = 0  # number of fixed deals; 0: every game has a new deal
    players: int = 2
    imitation_timesteps: int = 0


class Trial(NamedTuple):
    """What a policy is tested on; in each deal, it plays every seat once."""

    kind: GameKind
    deals: Sequence[int]
    opponents: tuple[str, ...] = (SEEN_BOT,)  # each plays all other seats; none in the solo game


class Study(NamedTuple):
    """Policies that are trained on different cases, and tested on the same trials."""

    game: str
    cases: Mapping[str, Case]
    trials: Mapping[str, Trial]
    best_response: Trial | None = None  # the trial of a best response to each policy, or None to train none

    @property
    def spec(self) -> GameSpec:
        return game_named(self.game)


def repeated(deals: range) -> list[int]:
    """Return the first deals, as many as there are unseen deals; fewer deals are repeated."""
    return [deals[number % len(deals)] for number in range(len(UNSEEN_DEALS))]


def deals_text(count: int) -> str:
    return f"{count:,} deal{'s' if count > 1 else ''}" if count else "new deals"


RANDOM_DECKS: GameKind = {"mode": "random"}
NUMBERS = (1, 10, 100, 1_000)
LEVELS = ("standard", "super_droid", "cyborg")
STUDIES = {
    "deals": Study(
        game="project_mars",
        cases={deals_text(count): Case(RANDOM_DECKS, count) for count in (*NUMBERS, 0)},
        trials={
            **{deals_text(count): Trial(RANDOM_DECKS, repeated(TRAINING_DEALS[:count])) for count in NUMBERS},
            "unseen deals": Trial(RANDOM_DECKS, UNSEEN_DEALS),
            "unseen opponents": Trial(RANDOM_DECKS, UNSEEN_DEALS, UNSEEN_OPPONENTS),
        },
        best_response=Trial(RANDOM_DECKS, MORE_UNSEEN_DEALS),
    ),
    "players": Study(
        game="pocket_mars",
        cases={f"{players} players": Case({"players": players}, players=players) for players in (2, 4)},
        trials={
            f"{players} players": Trial({"players": players}, MORE_UNSEEN_DEALS) for players in (2, 3, 4)
        },
    ),
    "levels": Study(
        game="pocket_mars",
        cases={
            level: Case({"mode": "solo", "level": level}, players=1, imitation_timesteps=300_000)
            for level in LEVELS
        },
        trials={level: Trial({"mode": "solo", "level": level}, MORE_UNSEEN_DEALS, ()) for level in LEVELS},
    ),
}
