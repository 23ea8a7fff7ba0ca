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
    win_rates,
)
from pocketmars_env import GameConfig


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


def test_win_rates_with_three_players_count_the_games_in_which_both_bots_play() -> None:
    line_ups = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])
    wins = np.array([[6, 0, 0], [3, 3, 0], [0, 6, 0], [2, 2, 2]], dtype=float)
    rates = win_rates(line_ups, wins, 6)
    assert rates[0] == pytest.approx([9 / 18, 9 / 12, 6 / 12, 3 / 12])
    assert rates[2] == pytest.approx([6 / 12, 2 / 12, 8 / 18, 8 / 12])


def test_games_of_three_players_have_ratings_but_no_meta_game() -> None:
    bots = ("random", "greedy:1", "planner:1")
    table = rating_table(play_matches(round_robin(bots, Deals(GameConfig(players=3), count=2))))
    assert not any("Nash" in column or "rank" in column for column in table.columns)


def test_the_table_names_the_best_bot_first() -> None:
    matches = round_robin(("random", "greedy:1", "planner:1"), Deals(count=20))
    results = [result for i in range(0, 120, 40) for result in play_matches(matches[i : i + 40])]
    table = rating_table(results)
    assert [row[0] for row in table.rows] == ["planner:1", "greedy:1", "random"]
    assert table.columns[3:6] == ("v planner:1", "v greedy:1", "v random")
    assert [row[3 + i] for i, row in enumerate(table.rows)] == ["-"] * 3
    assert table.columns[6:9] == ("v Nash [95 %]", "Nash [95 %]", "α-rank [95 %]")
    assert table.rows[0][6] == "50.0 % [50.0, 50.0]"
    for column in (7, 8):
        assert [float(row[column].split()[0]) for row in table.rows] == [100, 0, 0]
    line_ups, win_shares = standings(results, ["random", "greedy:1", "planner:1"])
    rates = win_rates(line_ups, win_shares.sum(axis=0), 40)
    assert rates[0, 1] + rates[1, 0] == pytest.approx(1)
    assert rates[0, 0] == pytest.approx((rates[0, 1] + rates[0, 2]) / 2)
    assert table.rows[2][3] == "0.0 %"
    assert any("random" in note for note in table.notes)
