"""A command that cannot write its output exits with an error status and at most one line on stderr."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pocketmars_agents.arena.results_file import read_results
from pocketmars_env import Game
from pocketmars_env.core.files.output import READER_GONE
from pocketmars_env.replays import Replay
from tests.fixed_play import play_on

pytestmark = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")

POCKETMARS = f"{sys.executable} -m pocketmars_agents"
BENCH = "bench random --levels cyborg --handicap 0 --games 3 --jobs 1"
PRINTING = {
    "help": "--help",
    "bench": BENCH,
    "ladder": "ladder",
    "replay": "replay game.json",
    "watch": "watch random --seed 1",
    "record": "record random --mode solo --games 2 --jobs 1 --format parquet --out data",
}

EVERY_DAY = ("bench", "replay")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(
        "PYTHONPATH",
        os.pathsep.join([os.getcwd(), f"{os.getcwd()}/agents", os.environ.get("PYTHONPATH", "")]),
    )
    monkeypatch.chdir(tmp_path)
    Replay.of(play_on(Game(seed=1), seed=2, most=30)).save(tmp_path / "game.json")
    return tmp_path


def shell(line: str) -> tuple[int, list[str]]:
    """Run a bash command line with a time limit; return its exit status and its lines on stderr."""
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in EVERY_DAY else pytest.mark.slow) for name in PRINTING],
)
def test_a_full_disk_is_said_in_one_line(folder: Path, name: str) -> None:
    status, lines = shell(f"{POCKETMARS} {PRINTING[name]} > /dev/full")
    assert status == 1
    assert len(lines) == 1
    assert lines[0].endswith(os.strerror(28))


def test_nothing_is_said_when_nobody_reads(folder: Path) -> None:
    status, lines = shell(f"{POCKETMARS} {PRINTING['replay']} | true; exit ${{PIPESTATUS[0]}}")
    assert status in (0, 1, READER_GONE)  # 0: everything was written before the reader exited
    assert lines == []


def test_the_games_are_kept_when_the_table_cannot_be_printed(folder: Path) -> None:
    status, lines = shell(f"{POCKETMARS} {BENCH} --out raw.jsonl > /dev/full")
    assert (status, len(lines)) == (1, 1)
    assert len(read_results(folder / "raw.jsonl")[1]) == 3


FULL_DISK = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_500, 2_500))
from pocketmars_agents.cli.command_line import main
main()
"""


@pytest.mark.slow
def test_a_disk_that_fills_up_keeps_the_games_before(folder: Path) -> None:
    limited = f"{sys.executable} -c '{FULL_DISK}'"
    status, lines = shell(f"{limited} {BENCH.replace('3', '20')} --out raw.jsonl")
    assert status != 0
    assert len(lines) == 1
    assert "raw.jsonl" in lines[0]
    kept = len(read_results(folder / "raw.jsonl")[1])
    assert 0 < kept < 20
    assert (folder / "raw.jsonl").read_bytes().endswith(b"\n")
    assert shell(f"{POCKETMARS} {BENCH.replace('3', '20')} --out raw.jsonl > /dev/null") == (0, [])
    assert len(read_results(folder / "raw.jsonl")[1]) == 20
