"""Run fuzz tests and recorded games again, with every array access of the kernels checked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CHECKED = (
    "test_positions.py",
    "test_random_play.py",
    "test_arrays.py",
    "test_threads.py",
    "test_project_mars.py::test_positions_reached_from_changed_positions_are_accepted",
    "../games/project_mars/test_traces.py",
)


@pytest.mark.slow
def test_no_kernel_leaves_its_arrays() -> None:
    paths = [str(TESTS / name) for name in CHECKED]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--noconftest", *paths]  # no bots needed
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "POCKETMARS_FUZZ": "2000"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
