"""The result files of the baselines: one small JSON file for each algorithm, task and seed."""

import json
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from importlib import metadata
from pathlib import Path
from typing import Any, Self

from pocketmars_env.core.files.reading import parse_json, read_file
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.version import __version__

LARGEST_FILE = 1_000_000
"""In bytes."""


class ResultError(Exception):
    """A result file cannot be used; the message is one line."""


@dataclass(frozen=True)
class Point:
    """A point of a learning curve.

    Attributes:
        steps: the steps so far, see `RunResult.unit`.
        wall_seconds, cpu_seconds: the time of the training so far, without evaluations.
        win_share: the win share in the task's first matchup, 0..1.

    """

    steps: int
    wall_seconds: float
    cpu_seconds: float
    win_share: float


@dataclass(frozen=True)
class RunResult:
    """The result of one run.

    Attributes:
        algorithm, task, seed: the names of the algorithm and the task, and the seed.
        unit: the unit of the steps: ``"decisions"`` or ``"gradient steps"``.
        command: the command that repeats the run.
        revision: the revision of the repository, or ``"unknown"``.
        versions: the versions of the packages that matter, by name.
        threads: the number of PyTorch's threads.
        settings: the algorithm's settings.
        curve_games: games of each evaluation of the curve.
        curve: the learning curve.
        final_games: games of the last evaluation in each matchup.
        final: the win shares of the last evaluation, by matchup.
        handicap_rating: the handicap rating at the end, for tasks that have one.

    """

    algorithm: str
    task: str
    seed: int
    unit: str
    command: str
    revision: str
    versions: dict[str, str]
    threads: int
    settings: dict[str, Any]
    curve_games: int
    curve: tuple[Point, ...]
    final_games: int
    final: dict[str, float]
    handicap_rating: float | None

    @property
    def steps(self) -> int:
        """The steps of the run."""
        return self.curve[-1].steps

    def write(self, folder: Path) -> None:
        """Write the file atomically.

        Raises:
            OSError: if that fails.

        """
        text = json.dumps(asdict(self), indent=1, ensure_ascii=False)
        write_whole(result_path(folder, self.algorithm, self.task, self.seed), f"{text}\n".encode())

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a file.

        Raises:
            ResultError: if it cannot be read, or is no result file.

        """
        try:
            content = parse_json(read_file(path, LARGEST_FILE))
            expected = {field.name for field in fields(cls)}
            if not isinstance(content, dict) or content.keys() != expected:
                raise ValueError(f"expected an object with {', '.join(sorted(expected))}")
            curve = tuple(Point(**point) for point in content.pop("curve"))
            if not curve:
                raise ValueError("the curve is empty")
            return cls(curve=curve, **content)
        except (OSError, ValueError, TypeError) as error:
            raise ResultError(f"{path} is no result file of the baselines: {error}") from error


def result_path(folder: Path, algorithm: str, task: str, seed: int) -> Path:
    """Return the path of a result file."""
    return folder / task / algorithm / f"{seed}.json"


def read_all(folder: Path) -> list[RunResult]:
    """Read all result files of a folder, in the order of their paths.

    Raises:
        ResultError: names a file that cannot be used.

    """
    return [RunResult.read(path) for path in sorted(folder.glob("*/*/*.json"))]


def versions_of(packages: Sequence[str]) -> dict[str, str]:
    """Return the versions of Python, this package and the given packages."""
    found = {"python": platform.python_version(), "pocketmars-env": __version__}
    return found | {package: metadata.version(package) for package in packages}


def revision() -> str:
    """Return the checked-out revision, with ``-dirty`` if files were changed, or ``"unknown"``."""
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
