"""The facts on the pages of the PettingZoo environments are correct."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from pocketmars_env import pocketmars_v1, projectmars_v0
from pocketmars_env.core.layout import blocks_table, layout_table
from pocketmars_env.envs.registration import aec_id
from pocketmars_env.envs.rewards import REWARDS, illegal_reward
from pocketmars_env.games.pocket_mars.rules.constants import ROUND_LIMIT_MULTI, ROUND_LIMIT_SOLO

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {pocketmars_v1: "pettingzoo.md", projectmars_v0: "project_mars/environment.md"}
pages = pytest.mark.parametrize("module", list(PAGES), ids=lambda module: module.__name__)


def page_of(module: ModuleType) -> str:
    return (DOCS / PAGES[module]).read_text(encoding="utf-8")


def test_the_tables_are_the_generated_ones() -> None:
    spec = projectmars_v0.raw_env.game_spec
    assert layout_table(spec.layout) in page_of(projectmars_v0)
    assert blocks_table(spec.blocks) in page_of(projectmars_v0)


@pages
def test_the_facts_are_the_environments(module: ModuleType) -> None:
    page, spec = page_of(module), module.raw_env.game_spec
    (creation,) = re.findall(r"^\| Creation \| (.*) \|$", page, flags=re.MULTILINE)
    assert f'`pettingzoo.make("aec", "{aec_id(spec)}")`' in creation
    assert f"| Action values | `Discrete({spec.num_actions})` |" in page
    assert f"| Observation shape | ({spec.observation_size},) |" in page
    assert f"- `action_mask`: ({spec.num_actions},) int8" in page


@pages
def test_the_arguments_are_listed_with_their_defaults(module: ModuleType) -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \|", page_of(module), flags=re.MULTILINE)
    listed = [(name, default.strip("`").replace('"', "'")) for name, default in rows]
    parameters = inspect.signature(module.raw_env).parameters
    assert listed == [(name, repr(parameter.default)) for name, parameter in parameters.items()]


@pages
def test_the_rewards_are_listed(module: ModuleType) -> None:
    page, spec = page_of(module), module.raw_env.game_spec
    win, margin = (illegal_reward(reward, spec) for reward in ("win", "margin"))
    about = re.search(r"an illegal action ends the episode: the agent gets ([^)]*)", page)
    assert about is not None
    assert re.findall(r"-\d+", about[1]) == [f"{win:g}", f"{margin:g}"]
    assert re.findall(r'^\| `"(\w+)"` \|', page, flags=re.MULTILINE) == list(REWARDS)


def test_the_round_limits_are_named() -> None:
    (row,) = re.findall(r"^\| `round_limit` .*$", page_of(pocketmars_v1), flags=re.MULTILINE)
    assert {str(ROUND_LIMIT_MULTI), str(ROUND_LIMIT_SOLO)} <= set(re.findall(r"\d+", row))
