"""Confidence intervals of rates, means and medians."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import scipy  # loads its submodules at their first use; `scipy.stats` takes half a second

Interval = tuple[float, float]

CONFIDENCE = 0.95
TAILS = (100 * (1 - CONFIDENCE) / 2, 100 - 100 * (1 - CONFIDENCE) / 2)
"""The percentiles at the ends of an interval."""
RESAMPLES = 2_000
RESAMPLES_AT_ONCE = 100
"""Batch size of the bootstrap; it limits memory use and does not change the result."""
BOOTSTRAP_SEED = 0


def wilson_interval(successes: float, trials: int) -> Interval:
    """Return the 95 % Wilson score interval of a rate; (0, 1) if there are no trials.

    `successes` may be fractional, e.g. ½ if two seats win together, but must be in 0..`trials`.
    """
    if trials == 0:
        return 0.0, 1.0
    z = float(scipy.stats.norm.ppf((1 + CONFIDENCE) / 2))
    rate, weight = successes / trials, z * z / trials
    middle = (rate + weight / 2) / (1 + weight)
    half = z * math.sqrt(rate * (1 - rate) / trials + weight / (4 * trials)) / (1 + weight)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return low if successes > 0 else 0.0, high if successes < trials else 1.0  # without rounding errors


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values; NaN if there are no values."""
    return float(np.mean(values)) if len(values) else math.nan


def t_interval(values: Sequence[float]) -> Interval:
    """Return the 95 % interval of the mean of two or more values by Student's t distribution."""
    spread = scipy.stats.t.ppf((1 + CONFIDENCE) / 2, len(values) - 1) * scipy.stats.sem(values)
    return float(np.mean(values) - spread), float(np.mean(values) + spread)


def bootstrap_interval(values: Sequence[float], statistic: Callable[..., Any] = np.mean) -> Interval:
    """Return the 95 % bootstrap interval (percentile method) of the values' mean; the seed is fixed.

    With another `statistic`, such as ``np.median``, the result is the interval of this statistic.

    The interval is (NaN, NaN) for fewer than two values. If all values are equal, both bounds are that value.
    """
    if len(values) < 2:
        return math.nan, math.nan
    result = scipy.stats.bootstrap(
        (np.asarray(values, dtype=np.float64),),
        statistic,
        confidence_level=CONFIDENCE,
        n_resamples=RESAMPLES,
        batch=RESAMPLES_AT_ONCE,
        vectorized=True,
        method="percentile",
        random_state=BOOTSTRAP_SEED,
    )
    return float(result.confidence_interval.low), float(result.confidence_interval.high)
