"""The engine plays the same games compiled, compiled with bounds checks, and as plain Python."""

import pytest

from tests.core.processes import run
from tests.fingerprints import SEEDS, fingerprints

PROGRAM = """
import json
from tests.fingerprints import fingerprints
print(json.dumps(fingerprints({})))
"""


def fingerprints_with(switch: str, number: int) -> dict[str, str]:
    """Return the fingerprints from a new interpreter in which an environment variable is 1.

    In that interpreter, warnings are errors: without compilation, NumPy warns about integer overflow.
    """
    found: dict[str, str] = run(PROGRAM.format(number), None, **{switch: "1", "PYTHONWARNINGS": "error"})
    return found


@pytest.mark.parametrize("number", [1, pytest.param(len(SEEDS), marks=pytest.mark.slow)])
def test_plain_python_gives_the_same_games(number: int) -> None:
    assert fingerprints_with("NUMBA_DISABLE_JIT", number) == fingerprints(number)


@pytest.mark.slow
def test_bounds_checks_find_nothing_and_change_nothing() -> None:
    assert fingerprints_with("NUMBA_BOUNDSCHECK", len(SEEDS)) == fingerprints()
