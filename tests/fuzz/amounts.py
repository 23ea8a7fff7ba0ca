"""The number of inputs: small in the everyday tests, larger with ``POCKETMARS_FUZZ``.

``POCKETMARS_FUZZ=20000 pytest tests/fuzz`` tries 20,000 inputs in each parametrized test. If
``NUMBA_BOUNDSCHECK=1`` is set too, every array access of the kernels is checked.
"""

import os

SLOWEST = 60.0
"""Time limit of one input in seconds; if it takes longer, even on a slow machine, it hangs."""


def inputs(everyday: int) -> int:
    """The number of inputs of a test."""
    return int(os.environ.get("POCKETMARS_FUZZ", everyday))
