"""Arrays from outside, checked before anything is done with them."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def integers_of(name: str, given: ArrayLike, count: int) -> NDArray[np.int64]:
    """``(count,)`` int64: an array of as many integers, of any integer type; lists count as arrays.

    Args:
        name: what the array is, for the error.
        given: the array.
        count: how many integers it must have.

    Raises:
        ValueError: for another shape or type; names both.

    """
    try:
        numbers = np.asarray(given)
    except ValueError as error:  # lists of different lengths
        raise ValueError(f"{name} must be {count} integers, got no array: {error}") from error
    if numbers.shape != (count,) or not np.issubdtype(numbers.dtype, np.integer):
        raise ValueError(f"{name} must be {count} integers, got {numbers.dtype} of shape {numbers.shape}")
    return numbers.astype(np.int64)
