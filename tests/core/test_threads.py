"""The results of several threads are those of one."""

import copy
import multiprocessing
import os
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_env import Games, IllegalAction
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.compiled.threads import in_threads
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID


def played(count: int, num_threads: int, steps: int = 60) -> list[bytes]:
    """All that some steps of random games give."""
    games = Games(count, players=3, seed=9, num_threads=num_threads)
    results = []
    for _ in range(steps):
        games.step(games.random_actions(), ~games.over)
        everything = *games.observe(), games.masks(), games.scores(), games.states
        results += [array.tobytes() for array in everything]
    views = games.views(np.arange(count), np.full(count, 1))
    return [*results, views.observations.tobytes(), views.states.tobytes()]


@pytest.mark.parametrize("count", [1, 300, 500])
@pytest.mark.parametrize("num_threads", [2, 3, 16])
def test_games_do_not_depend_on_the_number_of_threads(count: int, num_threads: int) -> None:
    assert played(count, num_threads) == played(count, 1)


@pytest.mark.parametrize("name", [TABLE_ID, SOLO_ID, "projectmars/Duel-v0"])
def test_vector_environments_do_not_either(name: str) -> None:
    def episodes(num_threads: int) -> list[bytes]:
        envs = gymnasium.make_vec(name, 300, vectorization_mode="vector_entry_point", num_threads=num_threads)
        observations, infos = envs.reset(seed=5)
        results = [observations.tobytes()]
        for _ in range(20):
            observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            results += [observations.tobytes(), rewards.tobytes(), infos["action_mask"].tobytes()]
        return results

    assert episodes(3) == episodes(1)


def test_an_illegal_action_in_any_part_changes_no_game() -> None:
    games = Games(600, seed=1, num_threads=4)
    actions = games.random_actions()
    actions[[200, 590]] = -1
    before = games.states.tobytes()
    with pytest.raises(IllegalAction, match="action -1 in game 200 "):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_copies_play_on_with_threads(copied: Any) -> None:
    games = Games(300, seed=2, num_threads=2)
    twin = copied(games)
    for one in (games, twin):
        one.step(one.random_actions())
    assert games.states.tobytes() == twin.states.tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    expected = played(300, 2, steps=3)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(played, (300, 2, 3)).get(timeout=60) == expected


def test_parts_are_consecutive_and_complete() -> None:
    for count, num_threads in ((0, 4), (1, 4), (300, 2), (1000, 7)):
        parts = in_threads(lambda rows: list(range(rows.start, rows.stop)), count, num_threads)
        assert [row for part in parts for row in part] == list(range(count))
        assert len(parts) <= num_threads


@pytest.mark.parametrize("number", [0, 257, 1.0, True, None])
def test_wrong_numbers_are_named(number: Any) -> None:
    with pytest.raises(ValueError, match=r"num_threads must be an integer in 1..256"):
        Games(2, num_threads=number)
    with pytest.raises(ValueError, match=r"num_threads must be an integer in 1..256"):
        PocketMarsVecEnv(TABLE_ID, 2, num_threads=number)
