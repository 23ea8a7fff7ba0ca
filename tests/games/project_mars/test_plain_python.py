"""Replay the recorded games in plain Python, and in compiled code with bounds checks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TRACES = Path(__file__).with_name("test_traces.py")


@pytest.mark.parametrize(
    ("switch", "files"),
    [
        pytest.param("NUMBA_DISABLE_JIT", "traps", id="plain"),
        pytest.param("NUMBA_DISABLE_JIT", "", id="plain_all", marks=pytest.mark.slow),
        pytest.param("NUMBA_BOUNDSCHECK", "", id="bounds_all", marks=pytest.mark.slow),
    ],
)
def test_recorded_games_come_out_the_same(switch: str, files: str) -> None:
    only = ["-k", files] if files else []
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--noconftest", str(TRACES), *only]
    done = subprocess.run(
        command, env={**os.environ, switch: "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:]
