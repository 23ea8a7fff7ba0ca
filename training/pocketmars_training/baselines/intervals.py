"""Medians over seeds with bootstrap intervals.

Seeds are resampled with replacement, as rliable does for a single task (Agarwal et al., "Deep reinforcement
learning at the edge of the statistical precipice", NeurIPS 2021). This module does not use rliable, because
rliable depends on pandas, statsmodels and seaborn.
"""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np

MAX_SEEDS = 10


class Estimate(NamedTuple):
    """A median and the bounds of its 95 % bootstrap interval."""

    median: float
    low: float
    high: float


def median_over_seeds(values: Sequence[float]) -> Estimate:
    """Compute the median over seeds with its 95 % percentile bootstrap interval.

    All possible resamples are enumerated with their probabilities, so the interval does not depend on random
    numbers. With three seeds, the interval ranges from the lowest to the highest value.

    Args:
        values: 1 to `MAX_SEEDS` values, one per seed.

    Raises:
        ValueError: if there are no values, or more than `MAX_SEEDS`.

    """
    count = len(values)
    if not 1 <= count <= MAX_SEEDS:
        raise ValueError(f"1 to {MAX_SEEDS} values are needed, got {count}")
    resamples = list(combinations_with_replacement(sorted(values), count))
    indices = combinations_with_replacement(range(count), count)
    orders = [factorial(count) / prod(factorial(one.count(i)) for i in range(count)) for one in indices]
    medians = np.median(resamples, axis=1)
    order = np.argsort(medians, kind="stable")
    below = np.cumsum(np.array(orders)[order]) / count**count
    low, high = (float(medians[order][np.searchsorted(below, share)]) for share in (0.025, 0.975))
    return Estimate(float(np.median(values)), low, high)
