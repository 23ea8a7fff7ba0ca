"""Tests of ratings against known values."""

import math
from itertools import combinations

import numpy as np
import pytest

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.rating import (
    PRIOR_GAMES,
    rating_table,
    ratings,
    round_robin,
    standings,
    strengths,
    win_rate,
)


def test_two_bots_differ_by_the_logarithm_of_their_odds() -> None:
    found = strengths(np.array([[0, 1]]), np.array([[75.0, 25.0]]), np.zeros(2))
    odds = (75 + PRIOR_GAMES / 2) / (25 + PRIOR_GAMES / 2)
    assert found[0] - found[1] == pytest.approx(math.log(odds), abs=1e-4)
    assert found.sum() == pytest.approx(0)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_strengths_explain_the_wins_that_they_would_bring(players: int) -> None:
    true = np.array([1.0, 0.5, 0.0, -0.5, -1.0])
    tables = np.array(list(combinations(range(5), players)))
    wins = np.exp(true[tables])
    wins *= 1e6 / wins.sum(axis=1, keepdims=True)
    assert strengths(tables, wins, np.zeros(5)) == pytest.approx(true, abs=1e-4)


def test_a_bot_that_always_loses_has_a_finite_rating() -> None:
    (good, bad), _ = ratings(np.array([[0, 1]]), np.array([[[2.0, 0.0]]] * 50), 2)
    assert good - bad == pytest.approx(400 * math.log10(100.5 / 0.5), abs=0.1)
    assert good + bad == pytest.approx(3000)


@pytest.mark.slow
def test_the_intervals_hold_the_true_difference_about_as_often_as_they_say() -> None:
    rng, tables, held = np.random.default_rng(3), np.array([[0, 1]]), 0
    for _ in range(10):
        wins = rng.binomial(2, 0.64, size=(100, 1)).astype(float)
        _, intervals = ratings(tables, np.stack([wins, 2 - wins], axis=2), 2)
        true = 1500 + 200 * math.log10(0.64 / 0.36)
        held += intervals[0][0] <= true <= intervals[0][1]
    assert 8 <= held <= 10


def test_every_choice_of_bots_plays_the_same_deals() -> None:
    matches = round_robin(("random", "greedy", "planner", "greedy:8"), Deals(count=3))
    assert {match.bots for match in matches} == {
        ("random", "greedy"), ("random", "planner"), ("greedy", "planner"),
    }  # fmt: skip
    assert len(matches) == 3 * 3 * 2
    assert len({match.seed for match in matches}) == 3


def test_a_single_deal_gives_no_intervals() -> None:
    results = play_matches(round_robin(("random", "greedy:1"), Deals(count=1)))
    assert [row[1].replace(",", "").isdigit() for row in rating_table(results).rows] == [True, True]


def test_the_table_names_the_best_bot_first() -> None:
    matches = round_robin(("random", "greedy:1", "planner:1"), Deals(count=20))
    results = [result for i in range(0, 120, 40) for result in play_matches(matches[i : i + 40])]
    table = rating_table(results)
    assert [row[0] for row in table.rows] == ["planner:1", "greedy:1", "random"]
    assert table.columns[3:6] == ("v planner:1", "v greedy:1", "v random")
    assert [row[3 + i] for i, row in enumerate(table.rows)] == ["-"] * 3
    arrays = standings(results, ["random", "greedy:1", "planner:1"])
    assert win_rate(*arrays, 0, 1) + win_rate(*arrays, 1, 0) == pytest.approx(1)
    assert math.isnan(win_rate(*arrays, 0, 10))
    assert table.rows[2][3] == "0.0 %"
    assert any("random" in note for note in table.notes)
