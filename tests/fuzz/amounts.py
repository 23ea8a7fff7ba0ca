"""How much is tried: little in the everyday tests, more where ``POCKETMARS_FUZZ`` says so.

``POCKETMARS_FUZZ=20000 pytest tests/fuzz`` tries 20,000 inputs in each parametrized test. With
``NUMBA_BOUNDSCHECK=1`` beside it, every access of the kernels is checked.
"""

import os

SLOWEST = 60.0
"""Seconds that one input may take, on a slow machine too: what takes longer hangs."""


def inputs(everyday: int) -> int:
    """How many inputs a test tries."""
    return int(os.environ.get("POCKETMARS_FUZZ", everyday))
