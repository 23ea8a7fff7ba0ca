"""Games and environments stay consistent when several threads use them at once."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import gymnasium
import numpy as np

from pocketmars_env import Game, Games, IllegalAction
from tests.fuzz.accepted import check_all, check_one

THREADS = 4
CALLS = 150


def at_once(work: Callable[[int], None]) -> None:
    """Call `work` repeatedly in several threads, and raise the first error of any thread."""

    def run(number: int) -> None:
        for _ in range(CALLS):
            work(number)

    with ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(run, range(THREADS)))


def test_games_may_be_used_from_several_threads() -> None:
    games = Games(512, seed=1)

    def work(number: int) -> None:
        if number == 0:
            games.observe()
            games.scores()
        elif number == 1:
            games.reset(games.over)
        else:
            with contextlib.suppress(IllegalAction):  # another thread may have stepped first
                games.step(games.random_actions(), ~games.over)

    at_once(work)
    check_all(games.states)
    for number in range(len(games)):
        check_one(games.states, number)


def test_a_game_may_be_used_from_several_threads() -> None:
    game = Game(players=4, seed=1)

    def work(number: int) -> None:
        legal = game.legal()
        with contextlib.suppress(IllegalAction):
            game.step(legal[number % len(legal)] if legal else 0)
        game.view().observation.sum()

    at_once(work)
    check_one(game.states, 0)
    assert np.isfinite(game.observe()).all()


def test_a_vector_environment_may_be_used_from_several_threads() -> None:
    envs = gymnasium.make_vec(
        "pocketmars/Table-v1", num_envs=64, vectorization_mode="vector_entry_point", opponents="random"
    )
    envs.reset(seed=1)
    tables = envs.unwrapped.games  # type: ignore[attr-defined]  # only this environment has it

    def work(number: int) -> None:
        masks = envs.unwrapped.action_masks()  # type: ignore[attr-defined]
        actions = masks.argmax(axis=1) if number % 2 else np.full(64, 5)
        with contextlib.suppress(AssertionError):  # another thread may have stepped first
            envs.step(actions)

    at_once(work)
    check_all(tables.states)
    for game in range(64):
        check_one(tables.states, game)
