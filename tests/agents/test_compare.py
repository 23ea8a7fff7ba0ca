"""Tests of comparing two bots: neither the workers nor the order of finished games changes the decision."""

import re
from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.compare import Judge, compare, compare_table, deals_within, pairs, verdict
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import in_order
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.workers import Hire, hire_processes, this_process
from pocketmars_env.games.pocket_mars.config import GameConfig

TEST = SequentialTest(0, 60)


def judged(matches: list[Match], test: SequentialTest, hire: Hire, out: Path | None = None) -> Judge:
    *_, judge = compare(matches, test, hire, out)
    return judge


def result(match: Match, winners: tuple[int, ...]) -> GameResult:
    scores = tuple(int(seat in winners) for seat in range(2))
    return GameResult(match, winners, scores, False, (1, 1), (0.1, 0.1))


def test_both_seatings_of_a_deal_make_a_pair() -> None:
    matches = pairs(("random", "greedy"), Deals(count=2))
    assert [(match.seed - matches[0].seed, match.seat_of(0)) for match in matches] == [
        (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip


def test_a_pair_counts_the_wins_of_the_first_bot() -> None:
    matches = pairs(("random", "greedy"), Deals(count=5))
    judge = Judge(matches, TEST)
    seats = [((1,), (0,)), ((0, 1), (0,)), ((0,), (0,)), ((0,), (0, 1)), ((0,), (1,))]
    for match, winners in zip(matches, [winner for pair in seats for winner in pair]):
        judge.hear(result(match, winners))
    assert judge.counts == [1, 1, 1, 1, 1]
    assert judge.win_rate[0] == 0.5


def test_the_interval_of_a_bot_that_always_wins_has_a_width() -> None:
    judge = Judge(matches := pairs(("random", "greedy"), Deals(count=5)), TEST)
    for match in matches:
        judge.hear(result(match, (match.seat_of(0),)))
    rate, (low, high) = judge.win_rate
    assert low < 0.9
    assert rate == high == 1.0


def test_the_order_in_which_games_are_finished_does_not_matter() -> None:
    matches = pairs(("random", "greedy"), Deals(count=400))
    rng = np.random.default_rng(0)
    outcomes = [result(match, (int(rng.random() < 0.5),)) for match in matches]
    judges = []
    for order in (range(800), reversed(range(800)), rng.permutation(800).tolist()):
        judge = Judge(matches, TEST)
        for game in in_order([outcomes[i] for i in order], matches):
            judge.hear(game)
            if judge.decision is not None:
                break
        judges.append((judge.decision, judge.counts, len(judge.games)))
    assert judges[0] == judges[1] == judges[2]
    assert judges[0][0] is not None
    assert judges[0][2] < 800


@pytest.mark.slow
def test_two_processes_and_a_file_decide_as_one_process_does(tmp_path: Path) -> None:
    matches = pairs(("greedy:1", "planner:1"), Deals(count=500))
    one = judged(matches, TEST, this_process)
    out = tmp_path / "results.jsonl"
    for hire in (hire_processes(2), this_process):
        other = judged(matches, TEST, hire, out)
        assert (other.decision, other.counts) == (one.decision, one.counts)
    assert one.decision == "H0"
    assert 10 < len(one.games) < 500


def test_a_test_that_runs_out_of_games_is_undecided() -> None:
    judge = judged(pairs(("greedy", "greedy:7"), Deals(count=2)), TEST, this_process)
    assert (judge.decision, len(judge.games)) == (None, 4)
    (row,) = compare_table(judge).rows
    assert row[:4] == ("greedy", "greedy:7", "4", "undecided")


def test_the_table_says_what_the_hypotheses_mean() -> None:
    judge = judged(pairs(("planner:1", "random"), Deals(count=200)), SequentialTest(0, 20), this_process)
    table = compare_table(judge)
    assert "H1" in table.rows[0][3]
    assert "[-2.94, +2.94]" in table.rows[0][4]
    assert table.rows[0][5].startswith("100.0 %")
    assert re.findall(r"[+]\d+|[\d.]+ %", table.notes[0])[:4] == ["+0", "50.0 %", "+20", "52.9 %"]


@pytest.mark.parametrize(
    ("decision", "test", "beginning"),
    [
        ("H1", TEST, "a is stronger than b;"),
        ("H0", SequentialTest(0, 20), "a is not stronger than b by 20 Elo points or more;"),
        ("H0", SequentialTest(-20, 0), "a is not stronger than b;"),
        (None, TEST, "Undecided:"),
    ],
)
def test_the_verdict_is_one_sentence(decision: str | None, test: SequentialTest, beginning: str) -> None:
    judge = Judge([Match(("a", "b"), GameConfig(), seed) for seed in (1, 1)], test, decision=decision)
    judge.counts[3] = 5
    assert verdict(judge).startswith(beginning)
    assert "win rate 75.0 %" in verdict(judge)


def test_only_two_different_bots_are_compared() -> None:
    with pytest.raises(ValueError, match="greedy"):
        pairs(("greedy", "greedy:8"), Deals())
    with pytest.raises(ValueError, match="3"):
        pairs(("greedy", "random"), Deals(GameConfig(players=3)))


def test_games_are_played_in_pairs() -> None:
    assert [deals_within(games) for games in (2, 3, 10)] == [1, 1, 5]
    with pytest.raises(ValueError, match="8589934590"):
        deals_within(1)
