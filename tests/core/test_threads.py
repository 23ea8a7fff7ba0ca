"""Results do not depend on the number of threads."""

import copy
import hashlib
import multiprocessing
import os
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

from pocketmars_env import Games, IllegalAction
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.compiled.threads import MIN_PART, MIN_SHORT_PART, in_threads
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID

SOME, MANY = 2 * MIN_PART, 2 * MIN_SHORT_PART
"""Batch sizes that use several threads only in slow calls, and in all calls."""


def digest(array: Any) -> str:
    return hashlib.sha256(array.tobytes()).hexdigest()


def played(count: int, num_threads: int, steps: int = 60) -> list[str]:
    """Play random games for some steps and return hashes of all results."""
    games = Games(count, players=3, seed=9, num_threads=num_threads)
    results = []
    for _ in range(steps):
        games.step(games.random_actions(), ~games.over)
        everything = *games.observe(), games.masks(), games.scores, games.states
        results += [digest(array) for array in everything]
    views = games.views(np.arange(count), np.full(count, 1))
    return [*results, digest(views.observations), digest(views.states)]


@pytest.mark.parametrize(("count", "steps"), [(1, 60), (SOME + 1, 30), (MANY + 1, 6)])
@pytest.mark.parametrize("num_threads", [2, 3, 16])
def test_games_do_not_depend_on_the_number_of_threads(count: int, steps: int, num_threads: int) -> None:
    assert played(count, num_threads, steps) == played(count, 1, steps)


@pytest.mark.parametrize("name", [TABLE_ID, SOLO_ID, "projectmars/Duel-v0"])
def test_vector_environments_do_not_either(name: str) -> None:
    def episodes(num_threads: int) -> list[str]:
        envs = gymnasium.make_vec(
            name, SOME, vectorization_mode="vector_entry_point", num_threads=num_threads
        )
        observations, infos = envs.reset(seed=5)
        results = [digest(observations)]
        for _ in range(20):
            observations, rewards, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
            results += [digest(observations), digest(rewards), digest(infos["action_mask"])]
        return results

    assert episodes(3) == episodes(1)


def test_an_illegal_action_in_any_part_changes_no_game() -> None:
    games = Games(MANY, seed=1, num_threads=4)
    actions = games.random_actions()
    actions[[200, MANY - 9]] = -1
    before = games.states.tobytes()
    with pytest.raises(IllegalAction, match=r"action -1 .* game 200 "):
        games.step(actions)
    assert games.states.tobytes() == before


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda games: pickle.loads(pickle.dumps(games))])
def test_copies_play_on_with_threads(copied: Any) -> None:
    games = Games(MANY, seed=2, num_threads=2)
    twin = copied(games)
    for one in (games, twin):
        one.step(one.random_actions())
    assert games.states.tobytes() == twin.states.tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own() -> None:
    expected = played(MANY, 2, steps=3)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(played, (MANY, 2, 3)).get(timeout=60) == expected


def test_parts_are_consecutive_and_complete() -> None:
    for count, num_threads, number in ((0, 4, 1), (1, 4, 1), (300, 2, 2), (1000, 7, 7), (199, 2, 1)):
        parts = in_threads(lambda rows: list(range(rows.start, rows.stop)), count, num_threads, min_part=100)
        assert [row for part in parts for row in part] == list(range(count))
        assert len(parts) == number


@pytest.mark.parametrize("number", [0, 257, 1.0, True, None])
def test_wrong_numbers_are_named(number: Any) -> None:
    with pytest.raises(ValueError, match="num_threads"):
        Games(2, num_threads=number)
    with pytest.raises(ValueError, match="num_threads"):
        PocketMarsVecEnv(TABLE_ID, 2, num_threads=number)
