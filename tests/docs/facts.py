"""The phrases of the documents that hold numbers, put together from the code."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pocketmars_agents.arena.rating import MEAN_RATING
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.statistics import CONFIDENCE
from pocketmars_agents.bots.greedy_agent import GreedyAgent
from pocketmars_agents.bots.planner_agent import PlannerAgent
from pocketmars_agents.games.pocket_mars.bench import DEFAULT_GAMES
from pocketmars_agents.games.pocket_mars.suites import DA_2
from pocketmars_env import NUM_ACTIONS
from pocketmars_env.core.precompile import IDLE_SECONDS
from pocketmars_env.envs.rewards import illegal_reward
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.rules import scoring, solo
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS
from pocketmars_env.games.pocket_mars.rules.cards import (
    ABILITIES,
    CARDS_PER_SUIT,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    NUM_CARDS,
    NUM_PROGRAMS,
)
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    BUILDING_VALUE,
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    COLONISTS,
    DA_START_ON_SHIP,
    HAND_LIMIT,
    MAX_ENERGY,
    MAX_HANDICAP,
    MAX_SEATS,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    ROUND_LIMIT_MULTI,
    ROUND_LIMIT_SOLO,
    START_ENERGY,
    START_ON_SHIP,
)
from pocketmars_env.games.pocket_mars.rules.plays import ENERGY_FOR_DISCARD
from pocketmars_env.games.pocket_mars.rules.state import LEGAL_ACTION_WORDS, STATE, star2_limit
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.docs.test_recipes import ACTIONS_OF_A_CARD, GAMES, NEW_CARD_NUMBER
from tests.games.pocket_mars.test_traces import GAMES_RECORDED

ROOT = Path(__file__).parents[2]
WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def word(number: int) -> str:
    return WORDS[number - 2]


def star2_places(players: int) -> int:
    """How many colonists ★★ of a Building holds; the kernel as plain Python, so that nothing is compiled."""
    limit: Callable[[Any], int] = getattr(star2_limit, "py_func", star2_limit)
    return limit(SimpleNamespace(players=players))


def decisions_per_second(work: str) -> int:
    """Of the kernel, as the README's table has it."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (speed,) = re.findall(rf"^\| kernel, {re.escape(work)} +\| +([\d,]+) decisions/s", text, re.MULTILINE)
    return int(speed.replace(",", ""))


def millions_of_decisions() -> int:
    return round(decisions_per_second("rules + mask") / 1e6)


def same_owner_twice() -> int:
    """Of the actions that swap colonists, those with one owner on both places."""
    return NUM_BUILDINGS * MAX_SEATS


def oldest_python() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


def level_rows() -> list[str]:
    return [
        f"| `{level}` | {ship} | {COLONISTS - ship} |"
        for level, ship in zip(LEVELS, DA_START_ON_SHIP, strict=True)
    ]


MAIN_ACTIONS = sum(block.decisions == "TURN" for block in ACTION_BLOCKS)
ENERGY_POINTS, DA_ENERGY_POINTS = scoring.POINTS_ENERGY
ALL_POINTS, DA_ALL_POINTS = scoring.POINTS_ALL_BUILDINGS
ONE_POINTS, DA_ONE_POINTS = scoring.POINTS_ONE_BUILDING
PLAYERS = f"for 1 to {MAX_SEATS} players"

FACTS: dict[str, list[str]] = {
    "README.md": [
        f"for 1–{MAX_SEATS} players",
        f"All {NUM_CARDS} cards × 2 halves",
        f"solo at {word(len(LEVELS))} levels",
        f"{GAMES_RECORDED} recorded games",
        f"one `Discrete({NUM_ACTIONS})` action space",
        f"one {STATE.itemsize}-byte record",
        f"about {word(millions_of_decisions())} million decisions per second",
        f"Python {oldest_python()} or newer",
        f"up to {IDLE_SECONDS} s on two idle cores",
        f"for 2–{MAX_SEATS} players",
        "Two commands",
    ],
    "CONTRIBUTING.md": [f"Python {oldest_python()} or newer"],
    "docs/actions.md": [f"The action space is `Discrete({NUM_ACTIONS})`"],
    "docs/environments.md": [
        "sum to 0 over its seats",
        "from -1 to 1; against a single opponent 1, -1, or 0 for a shared win",
        f"costs {-illegal_reward('margin', SPEC):.0f} points",
    ],
    "docs/observations.md": ["in [0, 1]", "0 is the one that looks, 1 its left neighbour"],
    "docs/performance.md": [f"up to {IDLE_SECONDS} s on two idle cores"],
    "docs/quick_start/benchmark.md": [
        f"at every level and at {word(len(DA_2.handicaps))} handicaps",
        f"win rates and margins at handicap {DA_2.handicaps[0]}",
    ],
    "docs/quick_start/research.md": [PLAYERS],
    "docs/quick_start/train.md": ["between -1 and 1"],
    "docs/recipes/add_a_card.md": [f"adds a {NEW_CARD_NUMBER}th card, and plays {GAMES:,} games"],
    "docs/rules.md": [
        f"Everybody has {COLONISTS} colonists and",
        f"{NUM_SUITS} Buildings: Greenhouse",
        f"The first {NUM_BUILDINGS} hold colonists",
        f"{star2_places(2)} colonist with 1 or 2 players, {star2_places(3)} colonists with 3 or {MAX_SEATS}.",
        f"They have the value {BUILDING_VALUE}.",
        f"{NUM_CARDS} Project cards, {CARDS_PER_SUIT} for each Building",
        f"the values 1 to {CARDS_PER_SUIT}; those of Habitation, called a to g, count 0.",
        f"energy track from 0 to {MAX_ENERGY}",
        f"{START_ON_SHIP} colonist on the Ship, {COLONISTS - START_ON_SHIP} on Earth",
        f"and {START_ENERGY} energy. Each",
        f"gets {CARDS_DEALT} cards, lays {PREP_SLOTS} of them",
        f"the other {CARDS_DEALT - PREP_SLOTS} as a hand",
        f"a packet of {CARDS_DEALT_IN_DRAFT} cards instead, keeps 1",
        f"has kept {CARDS_DEALT}. All",
        f"keeps {CARDS_DEALT} of the {CARDS_DEALT_IN_DRAFT}",
        f"exactly one of {MAIN_ACTIONS} actions; then the {HAND_LIMIT}-card rule",
        "1 of the player's colonists settles",
        "counts 0 (R-FACEDOWN)",
        "1 colonist flies from Earth",
        f"1 card of the hand or the prep module is discarded, for {ENERGY_FOR_DISCARD[0]} energy.",
        f"At {MAX_ENERGY} energy that",
        f"The {HAND_LIMIT}-card rule",
        f"more than {HAND_LIMIT} cards",
        f"down to {HAND_LIMIT} from hand; who has fewer draws up to {HAND_LIMIT}.",
        f"until it holds {PREP_SLOTS}.",
        f"With 2 to {MAX_SEATS} players",
        f"has all {COLONISTS} colonists in Buildings (R-END). Nothing",
        f"after {ROUND_LIMIT_MULTI} rounds (solo: {ROUND_LIMIT_SOLO})",
        f"| each colonist on the Ship | {scoring.POINTS_SHIP} |",
        f"| each colonist on ★ | {scoring.POINTS_STAR} |",
        f"| each colonist on ★★ | {scoring.POINTS_STAR2} |",
        f"all who are tied for it | {ENERGY_POINTS} |",
        f"at least 1 colonist in each of the {NUM_BUILDINGS} Buildings that hold colonists | {ALL_POINTS} |",
        f"at least {BONUS_BUILDING_COLONISTS} colonists in a single Building | {ONE_POINTS} |",
        f"the DA's {PREP_SLOTS} cards",
        f"begins with {START_ENERGY} energy and with more",
        *level_rows(),
        f"discarding for energy gives {ENERGY_FOR_DISCARD[1]}",
        f"System failure. The top {solo.SYSTEM_FAILURE_CARDS} cards",
        f"With {PREP_SLOTS} cards in its module",
        "With 1, a DA colonist",
        f"| {solo.DA_UPGRADES} upgrades",
        f"spark: the top {solo.SPARK_CARDS} cards",
        f"gains {solo.DA_ENERGY_GAIN} energy",
        "launches 1 colonist",
        "settles 1 colonist in the best",
        "launches 1 |",
        f"fewer than {PREP_SLOTS} cards",
        f"the DA has all {COLONISTS} colonists",
        f"both, if tied | {ENERGY_POINTS} | {DA_ENERGY_POINTS} |",
        f"in each of the {NUM_BUILDINGS} Buildings | {ALL_POINTS} | {DA_ALL_POINTS} |",
        f"{BONUS_BUILDING_COLONISTS} colonists in a single Building | {ONE_POINTS} | {DA_ONE_POINTS} |",
        f"at most {MAX_HANDICAP}.",
    ],
    "docs/versions.md": ["Before 1.0", "Comms 6 and Greenhouse 6"],
    "notebooks/README.md": [f"Intervals are {CONFIDENCE:.0%}:".replace("%", " %")],
}

PARTLY: dict[str, list[str]] = {
    "agents/README.md": [
        f"on average over {GreedyAgent().determinizations} sampled worlds",
        f"in {PlannerAgent().determinizations} sampled worlds",
        f"at {word(len(LEVELS))} levels",
        f"table of 2 to {MAX_SEATS}",
        f"`{DA_2.name}` has {DA_2.deals:,} fixed deals",
        f"engine seed 0x{DA_2.first_seed >> 32:X} · 2³² + i",
        f"at the handicaps {', '.join(map(str, DA_2.handicaps[:-1]))} and {DA_2.handicaps[-1]}",
        f"the first {DEFAULT_GAMES:,} deals at {len(LEVELS)} levels and {len(DA_2.handicaps)} handicaps: "
        f"{DEFAULT_GAMES * len(LEVELS) * len(DA_2.handicaps):,} games",
        f"this handicap alone, 0 to {MAX_HANDICAP}",
        f"have the mean {MEAN_RATING:.0f}",
        f"`--h0` Elo ({SequentialTest.elo0:.0f})",
        f"`--h1` ({SequentialTest.elo1:.0f})",
        f"{SequentialTest.alpha:.0%} each".replace("%", " %"),
    ],
    "pocketmars_env/games/pocket_mars/rules/README.md": [
        PLAYERS,
        f"the {NUM_CARDS} cards and {word(len(ABILITIES))} abilities",
        f"a turn's {word(MAIN_ACTIONS)} main actions",
        f"all {word(COLONISTS)} colonists in Buildings",
        f"filled to {word(PREP_SLOTS)} cards",
        f"{same_owner_twice()} `SWAP` numbers",
        f"`program`: 0–{FIRST_BOTTOM - 1} tops, {FIRST_BOTTOM}–{FIRST_ABILITY - 1} bottoms, "
        f"{FIRST_ABILITY}–{NUM_PROGRAMS - 1} abilities",
        f"One card takes {word(ACTIONS_OF_A_CARD)} actions",
        f"room for {word((LEGAL_ACTION_WORDS * 60 - NUM_ACTIONS) // ACTIONS_OF_A_CARD)} more cards",
        f"Energy never exceeds {MAX_ENERGY}",
    ],
}
"""The same for pages on which other numbers explain something and are no settings."""
