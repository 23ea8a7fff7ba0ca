"""Validation and random choice of game seeds."""

import operator
import secrets
from typing import SupportsIndex

import numpy as np

from pocketmars_env.core.errors import quoted

MAX_SEED = 2**64 - 1


def check_seed(seed: SupportsIndex | None) -> int:
    """Return `seed` as an ``int``; if it is None, draw a seed in 0..2**63 - 1 from the operating system."""
    if seed is None:
        return secrets.randbits(63)
    try:
        number = operator.index(seed)
    except TypeError:
        number = -1
    if isinstance(seed, bool) or not 0 <= number <= MAX_SEED:
        raise ValueError(f"seed must be None or an integer in 0..2**64-1, got {quoted(seed)}")
    return number


def draw_seed(rng: np.random.Generator) -> np.uint64:
    """Draw a seed for kernels."""
    return rng.integers(0, 2**64, dtype=np.uint64)
