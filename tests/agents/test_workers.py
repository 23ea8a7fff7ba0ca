"""Tests of worker processes: their number, the warm-up of bots, failures, and exit."""

import subprocess
import sys

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import bots_of, hire_processes, warm_up
from pocketmars_env.games.pocket_mars.config import GameConfig
from tests.agents.test_line_protocol import has_ended

SOLO = GameConfig(mode="solo")


@pytest.mark.parametrize("jobs", [0, -1, 1.5, True])
def test_at_least_one_process_is_needed(jobs: int) -> None:
    with pytest.raises(ValueError, match="jobs"):
        hire_processes(jobs)


@pytest.mark.slow
def test_a_bot_that_fails_at_once_fails_in_its_games() -> None:
    matches = [Match(("tests.agents.bots:Quitting",), SOLO, seed) for seed in range(4)]
    warm_up(bots_of(matches))
    assert all(result.failure for result in run(matches, hire_processes(2)))


def test_bots_are_warmed_up_once_for_each_number_of_players() -> None:
    matches = [Match(("random", "greedy:1"), GameConfig(), seed) for seed in range(3)]
    bots = bots_of([*matches, Match(("random",), SOLO, 1)])
    assert [(bot, config.players) for bot, config in bots] == [
        ("greedy:1", 2), ("random", 1), ("random", 2),
    ]  # fmt: skip


ORPHAN = """
import multiprocessing, os, time
from pocketmars_agents.arena.workers import begin_process

def work():
    begin_process([])
    print(os.getpid(), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    multiprocessing.get_context("spawn").Process(target=work).start()
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_process_ends_with_the_one_that_started_it(tmp_path: object) -> None:
    script = f"{tmp_path}/orphan.py"
    with open(script, "w", encoding="utf-8") as file:
        file.write(ORPHAN)
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert has_ended(child)
