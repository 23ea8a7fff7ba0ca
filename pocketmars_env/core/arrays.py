"""Validation of array arguments before a kernel reads or writes them.

By default, kernels (functions that Numba compiles) check neither shapes nor indices, so invalid arguments
could make a kernel read or write outside an array.
"""

import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.errors import MAX_QUOTED, one_line, quoted

LARGEST = 2**63 - 1
"""The largest int64."""


def output_array(name: str, array: Any, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
    """Return an array for the results of a kernel: `array` itself, or a new array if `array` is None."""
    if array is None:
        return np.empty(shape, dtype=dtype)
    expected = f"{name} must be a writeable, C-contiguous array of {dtype.__name__} and shape {shape}"
    if type(array) is not np.ndarray:
        raise ValueError(f"{expected}, got {type(array).__name__}")
    if array.shape != shape or array.dtype != dtype or not array.flags.carray:
        order = "writeable and C-contiguous" if array.flags.carray else "read-only or not C-contiguous"
        raise ValueError(f"{expected}, got {described(array)}, {order}")
    return array


def action_number(action: Any) -> int:
    """Return an action as an ``int``, given an integer, or an integer array or tensor of shape () or (1,)."""
    try:
        return operator.index(action)
    except TypeError:  # NumPy's arrays of shape (1,) raise it, too
        if getattr(action, "shape", None) != (1,) or getattr(action[0], "shape", None) != ():
            raise TypeError(f"an action must be an integer, got {quoted(action)}") from None
    return action_number(action[0])


def integer_array(
    name: str, values: Any, count: int, least: int = -LARGEST - 1, most: int = LARGEST
) -> NDArray[np.int64]:
    """Return `values` as a new ``(count,)`` int64 array.

    Before the range check, uint64 values are clipped to the largest int64.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:  # raised for nested lists of different lengths
        raise ValueError(
            f"{name} must be {count} integers, got lists of different lengths: {error}"
        ) from error
    if array.shape != (count,) or array.dtype.kind not in "iu":
        raise ValueError(f"{name} must be {count} integers, got {described(array)}")
    if array.dtype == np.uint64:  # larger numbers would become negative as int64
        array = np.minimum(array, np.uint64(LARGEST))
    if count and (array.min() < least or array.max() > most):
        raise ValueError(f"{name} must be in {least}..{most}, got {array.min()}..{array.max()}")
    return array.astype(np.int64)


def described(array: NDArray[Any]) -> str:
    """Return the dtype and the shape of an array for an error message."""
    return f"{one_line(str(array.dtype), MAX_QUOTED)} of shape {array.shape}"


def index_array(name: str, values: Any, count: int) -> NDArray[np.int64]:
    """Return a copy of `values`, a ``(count,)`` int64 array of indices; the kernel must check their range."""
    if not isinstance(values, np.ndarray) or values.shape != (count,) or values.dtype != np.int64:
        raise ValueError(
            f"{name} must be a one-dimensional int64 array of the same length as the other arrays, "
            f"got {quoted(values)}"
        )
    return np.array(values)


def check_states(states: Any, dtype: np.dtype[Any]) -> None:
    """Raise a ValueError unless `states` is a one-dimensional, C-contiguous array of records of `dtype`."""
    is_array = isinstance(states, np.ndarray) and states.ndim == 1 and states.dtype == dtype
    if not is_array or not states.flags.c_contiguous:
        raise ValueError(
            f"states must be a one-dimensional, C-contiguous array of STATE records, got {quoted(states)}"
        )


def flag_array(name: str, values: Any, count: int) -> NDArray[np.bool_]:
    """Return `values` as a contiguous ``(count,)`` bool array; all True if `values` is None."""
    if values is None:
        return np.ones(count, dtype=np.bool_)
    array = np.ascontiguousarray(values)
    if array.shape != (count,) or array.dtype != np.bool_:
        raise ValueError(f"{name} must be {count} bools, got {described(array)}")
    return array
