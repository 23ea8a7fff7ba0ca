"""Tests of Nash averaging and α-rank: games with known equilibria, properties, and OpenSpiel's values."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import entr, logsumexp

from pocketmars_agents.arena.meta_game import Rates, alpha_rank, nash_average

CYCLE = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])


def random_rates(seed: int, bots: int, games: int) -> Rates:
    """Return win rates of bots that have played this number of games against each other."""
    wins = np.triu(np.random.default_rng(seed).integers(games + 1, size=(bots, bots)) / games, 1)
    return wins + np.tril(1 - wins.T, -1) + np.eye(bots) / 2


def test_bots_in_a_symmetric_cycle_are_equal_and_a_bot_that_loses_to_all_gets_nothing() -> None:
    rates = np.pad(CYCLE, (0, 1), constant_values=0.9)
    rates[3] = [0.1, 0.1, 0.1, 0.5]
    for values in (nash_average(rates)[0], alpha_rank(rates)):
        assert values == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert nash_average(rates)[1] == pytest.approx([0.5, 0.5, 0.5, 0.1])


def test_nash_averaging_weighs_how_much_the_bots_of_a_cycle_win() -> None:
    rates = np.array([[0.5, 0.9, 0.4], [0.1, 0.5, 0.7], [0.6, 0.3, 0.5]])
    assert nash_average(rates)[0] == pytest.approx([2 / 7, 1 / 7, 4 / 7])
    assert alpha_rank(rates) == pytest.approx([1 / 3] * 3)


def test_bots_of_equal_strength_share_the_equilibrium_of_maximum_entropy() -> None:
    for values in (nash_average(np.full((4, 4), 0.5))[0], alpha_rank(np.full((4, 4), 0.5))):
        assert values == pytest.approx([1 / 4] * 4)


@pytest.mark.parametrize("seed", range(20))
def test_a_copy_of_a_bot_does_not_change_the_win_rates_against_the_equilibrium(seed: int) -> None:
    rates = random_rates(seed, 7, games=999)
    copied = [*range(7), seed % 7]
    equilibrium, values = nash_average(rates)
    with_copy, values_with_copy = nash_average(rates[np.ix_(copied, copied)])
    assert values_with_copy[:7] == pytest.approx(values)
    with_copy[seed % 7] += with_copy[7]
    assert with_copy[:7] == pytest.approx(equilibrium)


@pytest.mark.parametrize("seed", range(20))
def test_no_bot_beats_the_equilibrium_and_no_other_equilibrium_has_more_entropy(seed: int) -> None:
    rates = random_rates(seed, 6, games=2)  # often with several equilibria
    equilibrium, values = nash_average(rates)
    assert equilibrium.sum() == pytest.approx(1)
    assert equilibrium.min() >= 0
    assert values.max() == pytest.approx(0.5)
    dual = minimize(lambda x: logsumexp((rates - 0.5) @ x), np.zeros(6), bounds=[(0, None)] * 6)
    assert entr(equilibrium).sum() == pytest.approx(dual.fun, abs=1e-3)  # no entropy is above the dual's


@pytest.mark.parametrize("seed", range(20))
def test_alpha_rank_equals_that_of_openspiel(seed: int) -> None:
    alpharank = pytest.importorskip("open_spiel.python.egt.alpharank")
    rates = random_rates(seed, 2 + seed % 7, games=10)
    *_, expected, _, _ = alpharank.compute([rates], use_inf_alpha=True, inf_alpha_eps=1e-9)
    assert alpha_rank(rates) == pytest.approx(expected, abs=1e-6)
