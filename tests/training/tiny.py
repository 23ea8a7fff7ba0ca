"""Trainings that take seconds."""

from pathlib import Path
from typing import Any, TypeVar

from training.settings import Settings

OneSettings = TypeVar("OneSettings", bound=Settings)

TINY: dict[str, Any] = {
    "decisions": 600,
    "imitation": 200,
    "teacher": "greedy:1",
    "games": 6,
    "steps": 8,
    "batch": 24,
    "width": 16,
    "ladder_every": 200,
    "ladder_games": 4,
    "checkpoint_every": 100,
    "threads": 1,
}


def tiny(kind: type[OneSettings], run: Path, **changes: Any) -> OneSettings:
    """The settings of a tiny run."""
    return kind(run=run, **(TINY | changes))


def options(run: Path, **changes: Any) -> list[str]:
    """The same for a command line."""
    words = ["--run", str(run)]
    for name, value in (TINY | changes).items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:  # a flag is its own value
            words += [str(one) for one in (value if isinstance(value, tuple) else (value,))]
    return words
