"""A command killed at any moment loses at most the item being written, and the next run continues.

`POCKETMARS_KILLS` sets how often each command is killed.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from pocketmars_agents.arena.results_file import parse_games, read_results
from pocketmars_agents.recording.recorder import unfinished_path
from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.replays import Replay
from pocketmars_training.common import checkpoints
from tests.fixed_play import play_on
from tests.training.tiny import TINY, options

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="no fork"),
]

KILLS = int(os.environ.get("POCKETMARS_KILLS", "2"))


class Forks:
    """Run commands in forked processes with the server in `forking.py`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.fuzz.forking"]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self._line() == "ready"

    def _line(self) -> str:
        assert self._server.stdout is not None
        return self._server.stdout.readline().strip()

    def run(self, arguments: list[str], seconds: float | None = None) -> int:
        """Run a command, kill it after `seconds` if given, and return its exit status."""
        assert self._server.stdin is not None
        self._server.stdin.write(json.dumps([arguments, seconds]) + "\n")
        self._server.stdin.flush()
        return int(self._line())

    def close(self) -> None:
        self._server.terminate()
        self._server.communicate()


@dataclass(frozen=True)
class Command:
    """A command that writes files into a folder.

    Attributes:
        arguments: returns the command line for a folder.
        progress: returns how much of the work is on disk; raises if a file there is broken.
        is_done: returns whether the work is complete and another run would be refused; by default False.

    """

    arguments: Callable[[Path], list[str]]
    progress: Callable[[Path], int]
    is_done: Callable[[Path], bool] = lambda folder: False


def games_in(folder: Path) -> int:
    """Count the games of the results file; raises if a game occurs twice."""
    path = folder / "raw.jsonl"
    if not path.exists() or b"\n" not in path.read_bytes():
        return 0
    return len(read_results(path)[1])


def games_and_replays_in(folder: Path) -> int:
    names = [path for path in folder.glob("replays/*") if not path.name.startswith(".")]
    for path in names:
        Replay.load(path)
    return games_in(folder) + len(names)


def playing(*arguments: str) -> Command:
    return Command(
        lambda folder: [*arguments, "--jobs", "1", "--out", str(folder / "raw.jsonl")],
        games_in,
    )


def making(name: str, is_whole: Callable[[Path], Any], *arguments: str) -> Command:
    """Return a command that creates one file or folder, at once."""
    return Command(
        lambda folder: [word.replace("FOLDER", str(folder)) for word in arguments],
        lambda folder: int((folder / name).exists() and is_whole(folder / name) is not False),
        lambda folder: (folder / name).exists(),
    )


def recording(format: str, file: str) -> Command:
    def is_whole(path: Path) -> bool:
        return (path / file).is_file() and not any(part.name.startswith(".") for part in path.rglob("*"))

    where = ("--name", "killed-v0", "--out", "FOLDER")
    how = ("--games", "150", "--jobs", "1", "--format", format)
    command = making("killed-v0", is_whole, "record", "greedy:1", "random", *how, *where)
    return replace(command, progress=lambda folder: recorded_in(folder, command.progress(folder)))


def recorded_in(folder: Path, is_complete: int) -> int:
    """Count the recorded games of the dataset; raises if a game occurs twice."""
    path = unfinished_path(folder / "killed-v0")
    if is_complete or not path.exists() or b"\n" not in path.read_bytes():
        return 150 * is_complete
    _, *games = path.read_bytes().splitlines(keepends=True)
    return len(list(parse_games(path, [line for line in games if line.endswith(b"\n")], SPEC)))


def decisions_in(folder: Path) -> int:
    """Return the decisions of a run; the last update ends a few decisions later, but not always as many."""
    kept = checkpoints.kept(folder / "run")
    return min(int(checkpoints.read(kept[-1])["num_timesteps"]), TINY["total_timesteps"]) if kept else 0


def training(folder: Path) -> list[str]:
    changes = {"resume": True} if checkpoints.kept(folder / "run") else {}
    return ["pocketmars_training.solo", *options("solo", folder / "run", **changes)]


BENCH = ("bench", "random", "greedy:1", "--levels", "cyborg", "--games", "100")
COMMANDS = {
    "bench": playing(*BENCH),
    "compare": playing("compare", "greedy:1", "random", "--max-games", "60", "--elo1", "5"),
    "bench-replays": Command(
        lambda folder: [
            *BENCH[:-1], "30", "--jobs", "1",
            "--out", str(folder / "raw.jsonl"), "--replays", str(folder / "replays"),
        ],
        games_and_replays_in,
    ),
    "record-minari": recording("minari", "data/metadata.json"),
    "record-parquet": recording("parquet", "decisions.parquet"),
    "replay-html": making(
        "page.html", lambda path: path.read_text().rstrip().endswith("</html>"),
        "replay", "FOLDER/../game.json", "--html", "FOLDER/page.html",
    ),
    "replay-gif": making(
        "film.gif", lambda path: path.read_bytes()[-1:] == b";",
        "replay", "FOLDER/../game.json", "--gif", "FOLDER/film.gif",
    ),
    "replay-svg": Command(
        lambda folder: ["replay", str(folder / "../game.json"), "--svg", str(folder / "pictures")],
        lambda folder: len(list(folder.glob("pictures/[!.]*.svg"))),
    ),
    "training": Command(training, decisions_in, lambda folder: (folder / "run" / "solo.onnx").exists()),
}  # fmt: skip
ANSWERS = 30


@pytest.fixture(scope="module")
def forks() -> Iterator[Forks]:
    server = Forks()
    yield server
    server.close()


def names_in(folder: Path) -> set[str]:
    """Return the relative paths of all files and folders in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def hidden_in(folder: Path) -> list[str]:
    """Return the hidden files and folders, which are unfinished output."""
    return [name for name in names_in(folder) if re.fullmatch(r"(.*/)?\.[^/]*", name)]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_killed_command_goes_on(name: str, forks: Forks, tmp_path: Path) -> None:
    command, rng = COMMANDS[name], random.Random(f"kills of {name}")
    Replay.of(play_on(Game(seed=1), seed=2, most=ANSWERS)).save(tmp_path / "game.json")
    whole = tmp_path / "whole"
    whole.mkdir()
    forks.run(command.arguments(whole))
    for path in whole.iterdir():  # the first run, which may include compilation, is not timed
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    start = time.monotonic()
    assert forks.run(command.arguments(whole)) == 0
    seconds, expected = time.monotonic() - start, names_in(whole)
    all_of_it = command.progress(whole)

    kills, rounds = 0, 0
    while kills < KILLS:
        rounds += 1
        folder = tmp_path / f"round-{rounds}"
        folder.mkdir()
        before, first_kill = 0, kills
        while not command.is_done(folder):
            is_last = kills >= KILLS
            limit = None if is_last else rng.uniform(0, 1.1 * seconds)
            status = forks.run(command.arguments(folder), limit)
            now = command.progress(folder)
            assert now >= before, "something was lost"
            before = now
            started = kills - first_kill + 1
            assert len(hidden_in(folder)) <= started, "a killed process left more than one thing"
            if status == 0:
                assert hidden_in(folder) == []
                assert name == "training" or names_in(folder) == expected
                break
            assert status == -signal.SIGKILL, f"the run after a kill ended with {status}"
            kills += 1
        assert command.progress(folder) == all_of_it
    left = {path.name for path in tmp_path.iterdir()} - {"game.json"}
    assert left == {"whole", *(f"round-{number + 1}" for number in range(rounds))}
    print(f"{name}: {kills} kills in {rounds} rounds of {seconds:.1f} s")
