"""Runs training scripts in separate processes, as a user would."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pocketmars_training.common import checkpoints
from tests.training.tiny import options

ROOT = Path(__file__).parents[2]
LONG = 10**6
"""A number of decisions that a run does not reach during a test."""


def start(script: str, folder: Path, **changes: Any) -> subprocess.Popen[str]:
    """Start a training script with tiny settings."""
    return subprocess.Popen(
        [sys.executable, "-m", f"pocketmars_training.{script}", *options(script, folder, **changes)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(script: str, folder: Path, **changes: Any) -> str:
    """Run a training script to its successful end, and return its output."""
    with start(script, folder, **changes) as process:
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output


def stop_when(happened: Callable[[], bool], process: subprocess.Popen[str], with_signal: int) -> str:
    """Send a signal to a process once a condition holds, and return what it wrote to stderr."""
    deadline = time.monotonic() + 240
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(with_signal)
    return process.communicate(timeout=120)[1]


def newest(folder: Path) -> int:
    """Return the number of decisions of the newest checkpoint, or 0 if there is none."""
    paths = checkpoints.kept(folder)
    return int(paths[-1].stem.removeprefix("checkpoint-")) if paths else 0
