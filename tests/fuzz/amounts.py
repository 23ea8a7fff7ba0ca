"""The number of fuzz inputs: small by default; the variable ``POCKETMARS_FUZZ`` sets another number.

``POCKETMARS_FUZZ=20000 pytest tests/fuzz`` tries 20,000 inputs in each parametrized test. If
``NUMBA_BOUNDSCHECK=1`` is set too, every array access of the kernels is checked.
"""

import os

SLOWEST = 60.0
"""Time limit for one input in seconds; an input that takes longer counts as a hang."""


def inputs(everyday: int) -> int:
    """Return the number of inputs of a test: `everyday`, or the value of ``POCKETMARS_FUZZ`` if it is set."""
    return int(os.environ.get("POCKETMARS_FUZZ", everyday))
