"""The public page, the docstring of `aec`, says what is true."""

import inspect
import re
from collections.abc import Callable

import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE
from pocketmars_env import pocketmars_v1 as aec
from pocketmars_env.envs.rewards import REWARDS, illegal_reward
from pocketmars_env.games.pocket_mars.ids import AEC_ID
from pocketmars_env.games.pocket_mars.rules.constants import ROUND_LIMIT_MULTI, ROUND_LIMIT_SOLO
from pocketmars_env.games.pocket_mars.spec import SPEC

MARGIN = illegal_reward("margin", SPEC)
PAGE = inspect.getdoc(aec) or ""


@pytest.mark.parametrize("table", [SPEC.observation_table, SPEC.action_table])
def test_the_tables_are_the_generated_ones(table: Callable[[], str]) -> None:
    assert table() in PAGE


def test_the_facts_are_the_environments() -> None:
    assert f'| Creation | `pettingzoo.make("aec", "{AEC_ID}")`' in PAGE
    assert f"| Action values | `Discrete({NUM_ACTIONS})` |" in PAGE
    assert f"| Observation shape | ({OBSERVATION_SIZE},) |" in PAGE
    assert f"- `action_mask`: ({NUM_ACTIONS},) int8" in PAGE


def test_the_arguments_are_listed_with_their_defaults() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \|", PAGE, flags=re.MULTILINE)
    listed = [(name, default.strip("`").replace('"', "'")) for name, default in rows]
    parameters = inspect.signature(aec.raw_env).parameters
    assert listed == [(name, repr(parameter.default)) for name, parameter in parameters.items()]


def test_the_numbers_in_the_text() -> None:
    assert f"None: {ROUND_LIMIT_MULTI}, solo {ROUND_LIMIT_SOLO}" in PAGE
    assert f'the agent gets {illegal_reward("win", SPEC):g} (with `reward="margin"` {MARGIN:g},' in PAGE
    assert re.findall(r'^\| `"(\w+)"` \|', PAGE, flags=re.MULTILINE) == list(REWARDS)
