"""Several threads can share an agent, and copies of an agent are independent."""

import copy
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_env import Games
from pocketmars_env.games.pocket_mars.ids import TABLE_ID

NAMES = ["greedy", "planner", "ismcts:10", "puct:10"]


@pytest.mark.parametrize("name", NAMES)
def test_threads_can_share_an_agent(name: str) -> None:
    agent: Any = make_agent(name)
    games = Games(100, players=4, seed=1)
    for _ in range(30):
        games.step(games.random_actions())
    every, seeds = np.arange(len(games)), np.arange(len(games), dtype=np.uint64)
    alone = agent.act_batch(games.views(every, games.to_play), seeds)
    with ThreadPoolExecutor(2) as threads:
        found = threads.map(lambda _: agent.act_batch(games.views(every, games.to_play), seeds), range(2))
    assert all(np.array_equal(actions, alone) for actions in found)


@pytest.mark.parametrize("name", NAMES)
def test_an_environment_can_be_copied_with_its_opponents(name: str) -> None:
    env: Any = gymnasium.make(TABLE_ID, opponents=name).unwrapped
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    action = int(env.game.legal[0])
    assert np.array_equal(env.step(action)[0], twin.step(action)[0])
