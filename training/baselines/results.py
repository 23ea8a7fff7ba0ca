"""Result files of the baselines: one small JSON file for each run."""

import json
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, to_builtins

from pocketmars_env.core import gate
from pocketmars_env.core.files.writing import write_whole

T = TypeVar("T")
LARGEST_FILE = 1_000_000
"""Maximum size of a result file in bytes."""


class ResultError(Exception):
    """Raised if a result file cannot be read or is invalid; the message is a single line."""


def write_file(path: Path, result: Any) -> None:
    """Write a file with one result atomically."""
    text = json.dumps(to_builtins(result), indent=1, ensure_ascii=False)
    write_whole(path, f"{text}\n".encode())


def read_file(path: Path, kind: type[T]) -> T:
    """Read a file with one result."""
    try:
        return gate.decode(gate.read_file(path, LARGEST_FILE), kind, "the result")
    except (OSError, ValueError) as error:
        raise ResultError(f"{path} is not a result file: {error}") from error


def append(result: Any, file: Path) -> None:
    """Append a result to a file with one line per result."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(to_builtins(result), ensure_ascii=False) + "\n")


def read_lines(file: Path, kind: type[T]) -> list[T]:
    """Read a file with one line per result; a file that does not exist has none."""
    if not file.exists():
        return []
    try:
        lines = gate.read_file(file, LARGEST_FILE).splitlines()
        return [gate.decode(line, kind, "the result") for line in lines]
    except (OSError, ValueError) as error:
        raise ResultError(f"{file} is not a file of results: {error}") from error


class Point(gate.Record):
    """A point on a learning curve; the times are those of training so far, without evaluations."""

    steps: int  # for their unit, see `RunResult.unit`
    wall_seconds: float
    cpu_seconds: float
    win_share: float  # the win rate in the task's first matchup, 0..1


class RunResult(gate.Record):
    """The result of training one algorithm on one task with one seed, and the format of its file."""

    algorithm: str
    task: str
    seed: int
    total_steps: int  # as requested; the run can take a few more or fewer
    unit: str  # of the steps; see `Algorithm.unit`
    command: str  # repeats the run
    revision: str  # at the start of the run; see the function `revision`
    versions: dict[str, str]  # of Python, this package and other packages, by name
    threads: int  # of PyTorch
    settings: dict[str, Any]
    curve_games: int  # per point of the learning curve
    curve: Annotated[tuple[Point, ...], Meta(min_length=1)]  # from the untrained agent to the end of the run
    final_games: int  # per matchup in the final evaluation
    final: dict[str, float]  # the win rates of the final evaluation, by matchup
    handicap_rating: float | None  # None for tasks without one

    @property
    def steps(self) -> int:
        """The number of steps that the run took; for their unit, see `unit`."""
        return self.curve[-1].steps

    def write(self, folder: Path) -> None:
        """Write the result file below `folder`; see `result_path`."""
        write_file(result_path(folder, self.algorithm, self.task, self.total_steps, self.seed), self)


def result_path(folder: Path, algorithm: str, task: str, total_steps: int, seed: int) -> Path:
    """Return the path of a result file."""
    return folder / task / algorithm / str(total_steps) / f"{seed}.json"


def read_all(folder: Path) -> list[RunResult]:
    """Read all result files in a folder, sorted by path."""
    return [read_file(path, RunResult) for path in sorted(folder.glob("*/*/*/*.json"))]
