"""Run fuzz tests again, with every array access of the kernels checked.

With ``POCKETMARS_FUZZ=2000``, they try more inputs.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CHECKED = (
    "test_positions.py",
    "test_random_play.py",
    "test_arrays.py::test_records_with_one_changed_byte_are_refused_or_positions",
    "test_project_mars.py::test_positions_reached_from_changed_positions_are_accepted",
)


@pytest.mark.slow
def test_no_kernel_leaves_its_arrays() -> None:
    paths = [str(TESTS / name) for name in CHECKED]
    command = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--noconftest", *paths]  # no bots needed
    environment = {"POCKETMARS_FUZZ": "200", **os.environ, "NUMBA_BOUNDSCHECK": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:]
