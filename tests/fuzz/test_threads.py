"""Games stay consistent when several threads use them at once."""

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

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
            assert len(games.scores)
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
        legal = game.legal
        with contextlib.suppress(IllegalAction):
            game.step(legal[number % len(legal)] if legal else 0)
        game.view().observation.sum()

    at_once(work)
    check_one(game.states, 0)
    assert np.isfinite(game.observe()).all()
