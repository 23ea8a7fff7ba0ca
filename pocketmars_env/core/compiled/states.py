"""Creation and copying of arrays of state records."""

from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.compiling import IS_COMPILED

States = Annotated[NDArray[Any], "STATE"]
"""A one-dimensional, contiguous array of a game's state records."""


def blank_records(count: int, dtype: np.dtype[Any]) -> States:
    """Return an array of `count` state records in which all bytes are zero."""
    # NumPy creates an array of records ten times as fast on existing memory.
    states = np.ndarray(count, dtype, np.zeros(count * dtype.itemsize, np.uint8))
    # Kernels read ``states[i].field``; without compilation, only a recarray supports this syntax.
    return states if IS_COMPILED else states.view(np.recarray)


def copy_states(states: States) -> States:
    """Copy the records; more than ten times as fast as ``states.copy()``, which copies field by field."""
    copy = np.ndarray(states.shape, states.dtype, states.view(np.uint8).copy())
    return copy if IS_COMPILED else copy.view(np.recarray)


def take_states(states: States, indices: NDArray[np.int64]) -> States:
    """Copy the records at the given indices; ten times as fast as ``states[indices]``."""
    copies = blank_records(len(indices), states.dtype)
    np.take(bytes_of(states), indices, axis=0, out=bytes_of(copies))
    return copies


def bytes_of(states: States) -> NDArray[np.uint8]:
    """Return a view of the memory of n records as an ``(n, itemsize)`` uint8 array."""
    return np.asarray(states).view(np.uint8).reshape(len(states), states.dtype.itemsize)
