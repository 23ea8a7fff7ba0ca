"""Tests of the runner: the same results for any workers, and lists of games sized by the bots' speed."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.arena.runner import finished_games, next_size, play_games, run
from pocketmars_agents.arena.workers import Played, Workers, hire_processes, this_process
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.agents.playing import without_time

BOTS = "tests.agents.bots"
TWO, SOLO = GameConfig(), GameConfig(mode="solo")
MATCHES = [
    *(Match(("random", "greedy:1"), TWO, seed, r) for seed in range(20) for r in range(2)),
    *(Match(("greedy:1",), SOLO, seed) for seed in range(20)),
]


@pytest.fixture(scope="module")
def results() -> list[GameResult]:
    return run(MATCHES, this_process)


def test_results_come_in_the_order_of_the_matches(results: list[GameResult]) -> None:
    assert [result.match for result in results] == MATCHES


@pytest.mark.slow
def test_two_processes_play_the_same_games_as_one(results: list[GameResult]) -> None:
    assert without_time(run(MATCHES, hire_processes(2))) == without_time(results)


def test_a_match_that_comes_twice_is_played_once(results: list[GameResult], tmp_path: Path) -> None:
    for out in (None, tmp_path / "results.jsonl"):
        found = list(finished_games(MATCHES[:4] + MATCHES[:4], this_process, out))
        assert without_time(found) == without_time(results[:4])


def test_who_needs_no_more_stops_the_playing(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    many = [Match(("random",), SOLO, seed) for seed in range(5_000)]
    with closing(finished_games(many, hire_processes(2), out)) as games:
        heard = [next(games) for _ in range(3)]
    assert read_results(out)[1] == heard


def test_an_interruption_keeps_the_finished_games(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    heard: list[GameResult] = []
    games = [Match((f"{BOTS}:Interrupting",), SOLO, seed) for seed in range(500)]
    with pytest.raises(KeyboardInterrupt):
        heard.extend(finished_games(games, this_process, out))
    assert 0 < len(heard) < 500
    assert read_results(out)[1] == heard


# --- lists of matches -----------------------------------------------------------------------------


def test_lists_grow_for_fast_bots_and_hold_one_kind_of_game() -> None:
    lists: list[list[Match]] = []

    @contextmanager
    def recording(matches: Sequence[Match]) -> Iterator[Workers]:
        """Use this process as the worker, and record the lists of matches submitted to it."""
        with this_process(matches) as workers:

            def submit(matches: Sequence[Match]) -> Played:
                lists.append(list(matches))
                return workers.submit(matches)

            yield Workers(submit, lists_at_once=3)

    matches = [Match((bot,), SOLO, seed) for bot in ("random", "greedy:1") for seed in range(300)]
    played = list(play_games(matches, recording))
    assert sorted(result.match.seed for result in played) == sorted([*range(300)] * 2)
    assert [len(games) for games in lists[:3]] == [1, 1, 1]
    assert max(len(games) for games in lists) > 10
    assert all(len({match.bots for match in games}) == 1 for games in lists)


@pytest.mark.parametrize(
    ("games", "seconds", "size"), [(1, 0.0, 4), (100, 0.1, 256), (10, 0.5, 20), (10, 5.0, 2), (1, 30.0, 1)]
)
def test_a_list_takes_about_a_second(games: int, seconds: float, size: int) -> None:
    match = Match(("random",), SOLO, 1)
    result = GameResult(match, (1,), (0, 1), False, (1, 0), (seconds / games, 0.0))
    assert next_size([result] * games) == size
