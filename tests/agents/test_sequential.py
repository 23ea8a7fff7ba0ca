"""Tests of the sequential test: known values, and error rates within their bounds."""

import math

import numpy as np
import pytest

from pocketmars_agents.arena.sequential import (
    PAIR_OUTCOMES,
    SequentialTest,
    elo_of_score,
    likeliest,
    score_of_elo,
)


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (20, 0.5287506)])
def test_elo_and_win_rate(elo: float, score: float) -> None:
    assert score_of_elo(elo) == pytest.approx(score, abs=1e-5)
    assert elo_of_score(score) == pytest.approx(elo, abs=1e-2)


def test_a_bot_that_always_wins_is_infinitely_stronger() -> None:
    assert (elo_of_score(1.0), elo_of_score(0.0)) == (math.inf, -math.inf)


def test_walds_bounds() -> None:
    low, high = SequentialTest(alpha=0.05, beta=0.05).bounds
    assert low == pytest.approx(-2.9444, abs=1e-4)
    assert high == pytest.approx(2.9444, abs=1e-4)
    low, high = SequentialTest(alpha=0.01, beta=0.1).bounds
    assert low == pytest.approx(math.log(0.1 / 0.99))
    assert high == pytest.approx(math.log(90))


@pytest.mark.parametrize("score", [0.1, 0.5, 0.55, 0.9])
def test_the_likeliest_distribution_has_the_mean_and_no_other_is_likelier(score: float) -> None:
    seen = np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    found = likeliest(seen, score)
    assert found.sum() == pytest.approx(1)
    assert found @ PAIR_OUTCOMES == pytest.approx(score)
    changes = np.array([[1, -2, 1, 0, 0], [0, 1, -2, 1, 0], [0, 0, 1, -2, 1]])
    for change in [*changes, *-changes]:  # the changes preserve the sum and the mean
        other = found + 1e-4 * change
        assert (other > 0).all()
        assert seen @ np.log(other) < seen @ np.log(found)


def test_with_two_outcomes_the_ratio_is_that_of_the_binomial_test() -> None:
    test = SequentialTest(0, 40)
    low, high = score_of_elo(0), score_of_elo(40)
    expected = 30 * math.log(high / low) + 20 * math.log((1 - high) / (1 - low))
    assert test.ratio([20, 0, 0, 0, 30]) == pytest.approx(expected, abs=0.01)


def test_no_games_say_nothing() -> None:
    assert SequentialTest().ratio([0] * 5) == 0
    assert SequentialTest().decision([0] * 5) is None


def test_the_ratio_of_swapped_bots_and_hypotheses_has_the_other_sign() -> None:
    counts = [5, 10, 40, 20, 12]
    assert SequentialTest(-10, 30).ratio(counts) == pytest.approx(
        -SequentialTest(-30, 10).ratio(counts[::-1])
    )


def decided(test: SequentialTest, score: float, rng: np.random.Generator) -> tuple[str, int]:
    """Return the decision and the number of pairs it took, for pairs with the given mean win rate."""
    # about half of the pairs end 1-1, as is common when the cards matter
    base = np.array([0.2, 0.04, 0.52, 0.04, 0.2])
    outcomes = rng.choice(5, size=20_000, p=likeliest(base, score))
    counts, decision = [0] * 5, None
    for pairs, outcome in enumerate(outcomes, start=1):
        counts[outcome] += 1
        if pairs % 5 == 0 and (decision := test.decision(counts)):
            return decision, pairs
    raise AssertionError("undecided")


@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.1, 0.02)])
def test_errors_are_no_more_frequent_than_promised(alpha: float, beta: float) -> None:
    test, rng, runs = SequentialTest(0, 80, alpha, beta), np.random.default_rng(1), 300
    under_h0 = [decided(test, score_of_elo(0), rng) for _ in range(runs)]
    under_h1 = [decided(test, score_of_elo(80), rng) for _ in range(runs)]
    for outcomes, wrong, promised in ((under_h0, "H1", alpha), (under_h1, "H0", beta)):
        errors = sum(decision == wrong for decision, _ in outcomes)
        assert errors <= runs * promised + 3 * math.sqrt(runs * promised * (1 - promised))
    assert any(decision == "H1" for decision, _ in under_h0), "a test that never errs plays too long"


def test_a_clear_difference_is_found_sooner() -> None:
    test, rng = SequentialTest(0, 80), np.random.default_rng(2)
    pairs = [np.mean([decided(test, score, rng)[1] for _ in range(30)]) for score in (0.56, 0.65, 0.8)]
    assert pairs[0] > pairs[1] > pairs[2]


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ((20, 0), "elo0"),
        ((0, 0), "elo0"),
        ((0, 9999), "elo1"),
        ((math.nan, 5), "elo0"),
        ((0, 20, 0.0), "alpha"),
        ((0, 20, 0.05, 0.5), "beta"),
    ],
)
def test_a_test_says_what_is_accepted(settings: tuple[float, ...], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        SequentialTest(*settings)
