"""Tests of Ray workers: the same results as in one process, and clear errors without a usable cluster."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.compare import compare, pairs
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.ray_workers import check_version, hire_ray
from pocketmars_agents.arena.results_file import header, read_results
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.workers import WorkersError, this_process
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.playing import without_time

ray = pytest.importorskip("ray")

pytestmark = [
    # warnings that Ray causes: a deprecated file lock, and sockets left to the garbage collector
    pytest.mark.filterwarnings("ignore::DeprecationWarning:ray"),
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

MATCHES = [Match(("random", "greedy:1"), GameConfig(), seed, r) for seed in range(30) for r in range(2)]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a one-machine cluster that runs during all tests of this module."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--num-cpus=2",
        f"--port={port}", "--include-dashboard=false", "--disable-usage-stats",
        "--object-store-memory=200000000",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as cluster:
        assert cluster.stdout is not None
        said = ""
        while "Ray runtime started" not in said:
            line = cluster.stdout.readline()
            assert line, f"the cluster did not start: {said}"
            said += line
        yield f"127.0.0.1:{port}"
        cluster.terminate()


def test_a_cluster_plays_the_same_games(address: str, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    found = run(MATCHES, hire_ray(address), out)
    assert without_time(found) == without_time(run(MATCHES, this_process))
    assert len(read_results(out)[1]) == len(MATCHES)
    assert not ray.is_initialized()


def test_a_cluster_decides_as_one_process_does(address: str) -> None:
    matches, test = pairs(("greedy:1", "random"), Deals(count=300)), SequentialTest(0, 60)
    judges = [[*compare(matches, test, hire)][-1] for hire in (hire_ray(address), this_process)]
    assert judges[0].counts == judges[1].counts
    assert judges[0].decision == judges[1].decision == "H1"


def test_a_cluster_with_another_version_is_refused(address: str) -> None:
    ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    check_version(ray, header(SPEC))
    with pytest.raises(WorkersError, match=r"has other versions .numpy: '.*', now '0'"):
        check_version(ray, replace(header(SPEC), numpy="0"))
    ray.shutdown()


def test_a_cluster_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    with pytest.raises(WorkersError, match=r"127\.0\.0\.1:1"):
        run(MATCHES, hire_ray("127.0.0.1:1", seconds_to_connect=3), out)
    assert read_results(out)[1] == []
