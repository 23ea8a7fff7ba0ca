"""Numbers that the pages must state, taken from the code, each with the noun that follows it in the text."""

import tomllib
from collections.abc import Callable
from math import log
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from pocketmars_agents.arena.rating import POINTS
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent, PlannerAgent
from pocketmars_agents.games.pocket_mars.bench import DEFAULT_GAMES
from pocketmars_agents.games.pocket_mars.suites import DA_2
from pocketmars_env import NUM_ACTIONS
from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.compiled.legal_actions import ACTIONS_PER_WORD
from pocketmars_env.core.precompile import IDLE_SECONDS
from pocketmars_env.envs.rewards import illegal_reward
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.observation.layout import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.rules import scoring, solo
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    BONUS_BUILDING_COLONISTS,
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    COLONISTS,
    DA_START_ON_SHIP,
    HAND_LIMIT,
    MAX_ENERGY,
    MAX_SEATS,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    ROUND_LIMIT_MULTI,
    ROUND_LIMIT_SOLO,
    START_ENERGY,
)
from pocketmars_env.games.pocket_mars.rules.plays import ENERGY_FOR_DISCARD
from pocketmars_env.games.pocket_mars.rules.state import LEGAL_ACTION_WORDS, STATE, star2_limit
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.docs.test_recipes import ACTIONS_OF_A_CARD, GAMES

ROOT = Path(__file__).parents[2]
MAIN_ACTIONS = sum(block.decisions == "TURN" for block in ACTION_BLOCKS)


def star2_places(players: int) -> int:
    """Return how many colonists ★★ of a Building holds, without compiling the kernel."""
    limit: Callable[[Any], int] = getattr(star2_limit, "py_func", star2_limit)
    return limit(SimpleNamespace(players=players))


def oldest_python() -> str:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"]).removeprefix(">=")


NUMBERS: dict[str, dict[str, set[int]]] = {
    "README.md": {"player": {MAX_SEATS}},
    "docs/environments.md": {"action": {NUM_ACTIONS}, "point": {-int(illegal_reward("margin", SPEC))}},
    "docs/quick_start/benchmark.md": {"handicap": {len(DA_2.handicaps)}},
    "docs/quick_start/research.md": {"player": {MAX_SEATS}},
    "docs/recipes/add_a_card.md": {"game": {GAMES}},
    "docs/rules.md": {
        "action": {MAIN_ACTIONS},
        "building": {NUM_SUITS, NUM_BUILDINGS},
        "card": {
            1,
            CARDS_DEALT,
            CARDS_DEALT_IN_DRAFT,
            HAND_LIMIT,
            solo.SYSTEM_FAILURE_CARDS,
            solo.SPARK_CARDS,
        },
        "colonist": {
            1,  # one step moves one colonist
            COLONISTS,
            NUM_BUILDINGS,  # "the first 4 hold colonists"
            star2_places(2),
            star2_places(MAX_SEATS),
        },
        "energy": {START_ENERGY, MAX_ENERGY, *ENERGY_FOR_DISCARD, solo.DA_ENERGY_GAIN},
        "player": {2, MAX_SEATS},
        "project card": {NUM_CARDS},
        "round": {ROUND_LIMIT_MULTI},
        "upgrade": {solo.DA_UPGRADES},
    },
    "agents/README.md": {
        "determinization": {GreedyAgent().determinizations, PlannerAgent().determinizations},
        "player": {MAX_SEATS},
    },
    "agents/MATCHES.md": {
        "fixed deal": {DA_2.deals},
        "game": {DEFAULT_GAMES * len(LEVELS) * len(DA_2.handicaps)},
        "handicap": {len(DA_2.handicaps)},
        "level": {len(LEVELS)},
        "player": {2, MAX_SEATS},
        "point": {round(POINTS * log(10))},
    },
    "pocketmars_env/games/pocket_mars/rules/README.md": {
        "action": {ACTIONS_OF_A_CARD, NUM_ACTIONS, LEGAL_ACTION_WORDS * ACTIONS_PER_WORD},
        "building": {NUM_BUILDINGS},
        "byte": {STATE.itemsize, compiling.SHORT},
        "card": {PREP_SLOTS, HAND_LIMIT, NUM_CARDS, 5},  # five cards need another player's prep module
        "colonist": {2, BONUS_BUILDING_COLONISTS, COLONISTS},  # a swap moves two
        "energy": {3},  # the price of Energy 6
        "level": {3},  # of nesting
        "main action": {MAIN_ACTIONS},
        "number": {OBSERVATION_SIZE},
        "player": {MAX_SEATS},
        "round": {ROUND_LIMIT_MULTI},
    },
}
"""For each page and noun, the numbers that stand directly before the noun."""

TABLE_ROWS: list[tuple[int, ...]] = [
    *((ship, COLONISTS - ship) for ship in DA_START_ON_SHIP),
    (scoring.POINTS_SHIP,),
    (scoring.POINTS_STAR,),
    (scoring.POINTS_STAR2,),
    (scoring.POINTS_ENERGY[0],),
    (scoring.POINTS_ALL_BUILDINGS[0],),
    (scoring.POINTS_ONE_BUILDING[0],),
    scoring.POINTS_ENERGY,
    scoring.POINTS_ALL_BUILDINGS,
    scoring.POINTS_ONE_BUILDING,
]
"""The number cells of `docs/rules.md`'s tables on levels and points, row by row."""

PATTERNS: list[tuple[str, str]] = [
    (r"Discrete\((\d+)\)", str(NUM_ACTIONS)),
    (r"\bPython (\d+\.\d+)", oldest_python()),
    (r"(\d+) s on two idle cores", str(IDLE_SECONDS)),
    (r"(\d+)-card rule", str(HAND_LIMIT)),
    (r"\(solo: (\d+)\)", str(ROUND_LIMIT_SOLO)),
]
"""Regular expressions that are searched on all pages, and the text that each group must match."""
