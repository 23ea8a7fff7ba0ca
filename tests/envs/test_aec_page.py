"""The facts on the pages of the PettingZoo environments are correct."""

import re
from pathlib import Path
from types import ModuleType

import pytest

from pocketmars_env import pocketmars_v1, projectmars_v0
from pocketmars_env.envs.registration import aec_id
from pocketmars_env.envs.rewards import REWARDS, illegal_reward
from tests.test_documents import blocks_table, layout_table

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {pocketmars_v1: "environments.md", projectmars_v0: "project_mars/environment.md"}
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
    assert f"({spec.num_actions},)" in page


@pages
def test_the_rewards_are_listed(module: ModuleType) -> None:
    page, spec = page_of(module), module.raw_env.game_spec
    for reward in REWARDS:
        assert f"{abs(illegal_reward(reward, spec)):g}" in re.findall(r"\d+", page)
    assert re.findall(r'^\| `"(win|margin)"` \|', page, flags=re.MULTILINE) == list(REWARDS)
