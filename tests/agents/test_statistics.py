"""Tests of confidence intervals: known values, and cases with little data."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from pocketmars_agents.arena.statistics import bootstrap_interval, mean, wilson_interval


@pytest.mark.parametrize("trials", [1, 20, 100])
def test_whole_counts_have_the_interval_of_scipy(trials: int) -> None:
    for successes in range(trials + 1):
        interval = stats.binomtest(successes, trials).proportion_ci(0.95, method="wilson")
        assert wilson_interval(successes, trials) == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_a_shared_win_counts_as_half_a_success() -> None:
    assert wilson_interval(2.5, 10) == pytest.approx((0.0809478, 0.5578186), abs=1e-6)


def test_no_trials_say_nothing_about_a_rate() -> None:
    assert wilson_interval(0, 0) == (0.0, 1.0)


def test_a_bootstrap_interval_is_about_that_of_the_normal_distribution() -> None:
    values = np.random.default_rng(0).normal(3.0, 2.0, size=400).tolist()
    half = 1.96 * np.std(values) / math.sqrt(len(values))
    low, high = bootstrap_interval(values)
    assert low == pytest.approx(mean(values) - half, abs=0.15 * half)
    assert high == pytest.approx(mean(values) + half, abs=0.15 * half)


def test_a_bootstrap_interval_is_the_same_every_time() -> None:
    values = [1.0, 2.0, 4.0, 8.0]
    assert bootstrap_interval(values) == bootstrap_interval(values)


@pytest.mark.parametrize("count", [3, 5])
def test_the_interval_of_a_median_is_that_of_all_resamples(count: int) -> None:
    values = np.random.default_rng(count).random(count)
    medians = np.median(list(product(values, repeat=count)), axis=1)
    low, high = np.percentile(medians, [2.5, 97.5], method="inverted_cdf")
    assert bootstrap_interval(values.tolist(), np.median) == (low, high)


def test_equal_values_leave_no_doubt() -> None:
    assert bootstrap_interval([2.5] * 20) == (2.5, 2.5)


@pytest.mark.parametrize("values", [[], [4.0]])
def test_too_few_values_have_no_interval(values: list[float]) -> None:
    assert all(math.isnan(bound) for bound in bootstrap_interval(values))


def test_the_mean_of_nothing_is_not_a_number() -> None:
    assert math.isnan(mean([]))
    assert mean([1, 2]) == 1.5
