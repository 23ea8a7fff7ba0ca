"""The engine plays the same games compiled, compiled with bounds checks, and as plain Python."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fingerprints import SEEDS, fingerprints

ROOT = Path(__file__).parent.parent


def fingerprints_with(switch: str, number: int) -> dict[str, str]:
    """Return the fingerprints from a new interpreter in which an environment variable is 1.

    In that interpreter, warnings are errors: without compilation, NumPy warns about integer overflow.
    """
    result = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.fingerprints", str(number)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "agents"))), switch: "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-4000:]
    found: dict[str, str] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize("number", [1, pytest.param(len(SEEDS), marks=pytest.mark.slow)])
def test_plain_python_gives_the_same_games(number: int) -> None:
    assert fingerprints_with("NUMBA_DISABLE_JIT", number) == fingerprints(number)


@pytest.mark.slow
def test_bounds_checks_find_nothing_and_change_nothing() -> None:
    assert fingerprints_with("NUMBA_BOUNDSCHECK", len(SEEDS)) == fingerprints()
