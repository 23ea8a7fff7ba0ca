"""Result files of the baselines: one small JSON file for each run."""

import json
import platform
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from msgspec import Meta, to_builtins

from pocketmars_env.core import gate
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.version import __version__

T = TypeVar("T")
LARGEST_FILE = 1_000_000
"""Maximum size of a result file in bytes."""


class ResultError(Exception):
    """Raised if a result file cannot be read or is invalid; the message is a single line."""


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
    """A point on a learning curve.

    Attributes:
        steps: the number of steps so far; for their unit, see `RunResult.unit`.
        wall_seconds, cpu_seconds: the wall-clock time and the processor time of training so far, excluding
            evaluations.
        win_share: the win rate in the task's first matchup, 0..1.

    """

    steps: int
    wall_seconds: float
    cpu_seconds: float
    win_share: float


class RunResult(gate.Record):
    """The result of training one algorithm on one task with one seed, and the format of its file.

    Attributes:
        algorithm, task: the names of the algorithm and the task.
        total_steps: the requested number of training steps; the run can take a few more or fewer.
        unit: the unit of the steps: ``"decisions"`` or ``"gradient steps"``.
        command: a command that repeats the run.
        revision: the Git revision at the start of the run; see the function `revision`.
        versions: the versions of Python, this package and other packages, by name.
        threads: the number of PyTorch threads.
        settings: the algorithm's settings.
        curve_games: the number of games per point of the learning curve.
        curve: the learning curve, from the untrained agent to the end of the run.
        final_games: the number of games per matchup in the final evaluation.
        final: the win rates of the final evaluation, by matchup.
        handicap_rating: the final handicap rating, or None for tasks without one.

    """

    algorithm: str
    task: str
    seed: int
    total_steps: int
    unit: str
    command: str
    revision: str
    versions: dict[str, str]
    threads: int
    settings: dict[str, Any]
    curve_games: int
    curve: Annotated[tuple[Point, ...], Meta(min_length=1)]
    final_games: int
    final: dict[str, float]
    handicap_rating: float | None

    @property
    def steps(self) -> int:
        """The number of steps that the run took; for their unit, see `unit`."""
        return self.curve[-1].steps

    def write(self, folder: Path) -> None:
        """Write the result file atomically below `folder`; see `result_path`."""
        text = json.dumps(to_builtins(self), indent=1, ensure_ascii=False)
        path = result_path(folder, self.algorithm, self.task, self.total_steps, self.seed)
        write_whole(path, f"{text}\n".encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a result file."""
        try:
            return gate.decode(gate.read_file(path, LARGEST_FILE), cls, "the result")
        except (OSError, ValueError) as error:
            raise ResultError(f"{path} is not a result file of the baselines: {error}") from error


def result_path(folder: Path, algorithm: str, task: str, total_steps: int, seed: int) -> Path:
    """Return the path of a result file."""
    return folder / task / algorithm / str(total_steps) / f"{seed}.json"


def read_all(folder: Path) -> list[RunResult]:
    """Read all result files in a folder, sorted by path."""
    return [RunResult.read(path) for path in sorted(folder.glob("*/*/*/*.json"))]


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of Python, this package and the given packages."""
    versions = {"python": platform.python_version(), "pocketmars-env": __version__}
    return versions | {package: metadata.version(package) for package in packages}
