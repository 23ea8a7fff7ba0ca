"""Arrays of state records: new ones and copies."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import IS_COMPILED

States = NDArray[Any]
"""A one-dimensional, contiguous array of a game's state records."""


def blank_records(count: int, dtype: np.dtype[Any]) -> States:
    """`count` records, all bytes zero. Kernels read ``states[i].field``."""
    states = np.zeros(count, dtype=dtype)
    # In plain Python only a recarray's records have their fields as attributes.
    return states if IS_COMPILED else states.view(np.recarray)


def copy_states(states: States) -> States:
    """A copy of its own; ten times as fast as ``states.copy()``, which goes field by field."""
    copy = states.view(np.uint8).copy().view(states.dtype)
    return copy if IS_COMPILED else copy.view(np.recarray)
