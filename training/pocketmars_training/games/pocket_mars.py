"""Training spec of Pocket Mars."""

import random
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.games.pocket_mars.handicap_rating import fit
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.game import Views
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.actions import ACCEPT, PLAY_HAND
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, NUM_CARDS, Program
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, MAX_HANDICAP, Building, Decision, Op
from pocketmars_env.games.pocket_mars.small import NAMES, SmallGame
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common.training_spec import (
    GameKind,
    Matchup,
    SoloSpec,
    Task,
    TrainingSpec,
    WinShareOf,
    two_player_task,
)
from pocketmars_training.flawed import AlwaysPasses, Flawed, name_of

CYBORG: GameKind = {"level": "cyborg", "handicap": 0}


def solo_matchups(levels: Sequence[str] = LEVELS) -> list[Matchup]:
    """Return one matchup against Devious Automatics (DA) for each given level."""
    return [Matchup(level, SOLO_ID, {"level": level}) for level in levels]


def table_matchups(players: Sequence[int]) -> list[Matchup]:
    """Return a matchup against `greedy` for each player count, and a two-player matchup against `planner`."""
    matchups = [
        Matchup(f"greedy_{count}p", TABLE_ID, {"players": count, "opponents": "greedy"})
        for count in sorted(set(players))
    ]
    return [*matchups, Matchup("planner_2p", TABLE_ID, {"players": 2, "opponents": "planner"})]


def da_matchups(players: Sequence[str]) -> list[Matchup]:
    """Return matchups of an agent in the seat of Devious Automatics (DA) against each bot at each level."""
    return [
        Matchup(
            f"{player}_{level}",
            TABLE_ID,
            {"mode": "solo", "level": level, "seat": DA_SEAT, "opponents": player},
        )
        for player in players
        for level in LEVELS
    ]


def solo_kinds(handicaps: Sequence[int]) -> list[GameKind]:
    """Return the settings of the solo game for each combination of a level and a given handicap."""
    return [
        {"mode": "solo", "level": level, "handicap": handicap} for level in LEVELS for handicap in handicaps
    ]


def cyborg_rating(win_share_of: WinShareOf, games: int) -> float:
    """Return the handicap rating at the level cyborg, computed from the win rates at all handicaps."""
    handicaps = np.arange(MAX_HANDICAP + 1)
    shares = [
        win_share_of(Matchup(f"handicap_{handicap}", SOLO_ID, {**CYBORG, "handicap": handicap}))
        for handicap in handicaps.tolist()
    ]
    counts = np.full((1, len(handicaps)), games, dtype=np.float64)
    return float(fit(handicaps, counts, counts * np.array(shares))[0])


SOLO_TASK = Task(
    name="solo",
    title="Pocket Mars, solo game, level cyborg",
    game=SPEC,
    # A random player almost never wins at this level, so the reward "win" would be almost constant at first.
    training=Matchup("cyborg", SOLO_ID, {**CYBORG, "reward": "margin"}),
    kind={"mode": "solo", **CYBORG},
    players=1,
    matchups=(Matchup("cyborg", SOLO_ID, CYBORG),),
    rating=cyborg_rating,
)
TWO_PLAYERS = two_player_task("two_players", "Pocket Mars, two players", SPEC, TABLE_ID, {"players": 2})

SETTLE_OPS = {Op.SETTLE_HERE, Op.SETTLE_UP_TO, Op.SETTLE_ANYWHERE, Op.SETTLE_FROM_EARTH}


def settles(program: Program) -> bool:
    """Return whether an action of a card settles colonists."""
    return any(op in SETTLE_OPS for op, _ in program)


class NeverSettles(Flawed):
    """`multi` without settling colonists."""

    def avoided(self, views: Views) -> NDArray[np.bool_]:
        decisions, played = views.states["decision"], views.states["played"]
        by_card = np.array([settles(card.bottom) for card in CARDS])[played]
        by_building = np.array([card.suit == Building.HABITATION for card in CARDS])[played]
        offers = np.isin(decisions, (Decision.SETTLE, Decision.SETTLE_MORE))
        offers |= (decisions == Decision.BOTTOM) & by_card | (decisions == Decision.ABILITY) & by_building
        avoided = np.zeros((len(views), views.spec.num_actions), dtype=np.bool_)
        avoided[:, PLAY_HAND : PLAY_HAND + NUM_CARDS] = [settles(card.top) for card in CARDS]
        avoided[offers, ACCEPT] = True
        return avoided


def small_game(rng: random.Random) -> tuple[SmallGame, States]:
    """Draw a small game with one or two suits; see `TrainingSpec`."""
    suits = tuple(sorted(rng.sample(list(Building), rng.choice((1, 1, 2)))))
    ranks = tuple(
        sorted(rng.sample(range(1, 8), rng.randint(3, 5) if len(suits) == 2 else rng.randint(6, 7)))
    )
    colonists, rounds = rng.randint(2, 4), rng.choice((1, 2))
    row = SmallGame(suits, ranks, 2, colonists, rng.choice((1, colonists)), rounds, 0)
    states = SPEC.codec.blank(1, SPEC.config(small=NAMES[0], round_limit=rounds))
    row.write(states)
    return row, states


POCKET_MARS = TrainingSpec(
    game=SPEC,
    matchups=table_matchups,
    baselines=("greedy", "planner"),
    solo=SoloSpec(
        kinds=solo_kinds,
        max_handicap=MAX_HANDICAP,
        matchups=tuple(solo_matchups()),
        automaton_seat=DA_SEAT,
        automaton_settings={"da_agent": True},
        automaton_matchups=da_matchups,
    ),
    tasks=(SOLO_TASK, TWO_PLAYERS),
    flawed=(name_of(NeverSettles), name_of(AlwaysPasses), "planner"),
    small_game=small_game,
)
