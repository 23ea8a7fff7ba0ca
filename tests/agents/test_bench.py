"""Tests of the benchmark's plan and table."""

import re
from pathlib import Path

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import Failure, GameResult
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import this_process
from pocketmars_agents.games.pocket_mars.bench import (
    DEFAULT_GAMES,
    Plan,
    Row,
    bench_table,
    rating_of,
    rows_of,
)
from pocketmars_agents.games.pocket_mars.suites import DA_2
from tests.agents.playing import pocketmars

pytestmark = pytest.mark.smoke

BOTS = "tests.agents.bots"


def result(
    deal: int, winner: int, scores: tuple[int, int], failure: Failure | None = None, handicap: int = 0
) -> GameResult:
    match = Match(("me",), DA_2.config("cyborg", handicap), DA_2.seed(deal))
    return GameResult(match, (winner,), scores, False, (40, 0), (0.5, 0.0), failure)


def test_every_bot_plays_the_first_deals_at_every_level_and_handicap() -> None:
    matches = Plan(("random", "greedy"), ("standard", "cyborg"), 3).matches()
    played = [(m.bots, m.config.level, m.config.handicap, m.seed - DA_2.first_seed) for m in matches]
    assert played == [
        ((bot,), level, handicap, deal)
        for bot in ("random", "greedy")
        for level in ("standard", "cyborg")
        for handicap in (0, 3, 6, 9, 12)
        for deal in range(3)
    ]


def test_bots_and_levels_are_counted_once_under_their_shortest_name() -> None:
    plan = Plan(("greedy", "greedy:8"), ("cyborg", "cyborg"), 2, handicaps=(6, 6))
    assert [match.bots for match in plan.matches()] == [("greedy",)] * 2


def test_the_default_plan_is_that_of_the_first_command() -> None:
    levels, handicaps = ("standard", "super_droid", "cyborg"), (0, 3, 6, 9, 12)
    assert Plan() == Plan(("random", "greedy", "solo"), levels, 1_000, handicaps=handicaps)
    assert DEFAULT_GAMES == 1_000


def test_without_the_extra_a_line_says_that_solo_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    small = ("bench", "random", "--deals", "1", "--handicap", "0", "--jobs", "1")
    assert pocketmars(*small).stderr == ""
    monkeypatch.setattr("pocketmars_agents.games.pocket_mars.commands.DEFAULT_BOTS", ("random",))
    (line,) = pocketmars(*small).stderr.splitlines()
    assert line.startswith("solo is left out")
    assert "in the clone" in line
    monkeypatch.setattr("pocketmars_env.core.errors.CLONE", tmp_path)  # the package is installed
    assert pocketmars(*small).stderr.strip().endswith("install pocketmars-env with the extra 'policies'")


def test_any_bot_may_decide_for_devious_automatics() -> None:
    plans = [
        Plan(("greedy:1",), ("cyborg",), 40, da, handicaps=(3,)) for da in ("automaton", "random", "greedy:1")
    ]
    margins = [sum(rows_of(run(plan.matches(), this_process))[0].margins) for plan in plans]
    assert len({*margins}) == 3
    assert {(m.config.da_agent, m.config.handicap) for m in plans[1].matches()} == {(True, 3)}
    assert plans[2].matches()[0].bots == ("greedy:1", "greedy:1")


# --- the table ------------------------------------------------------------------------------------


def test_a_row_sums_up_the_games_of_a_bot_at_a_level_and_a_handicap() -> None:
    outcomes = ((0, (9, 5)), (1, (5, 5)), (1, (2, 9)), (0, (8, 1)))
    games = [result(deal, *outcome, handicap=3) for deal, outcome in enumerate(outcomes)]
    (row,) = rows_of(games)
    seeds = [DA_2.seed(deal) for deal in range(4)]
    won = [True, False, False, True]
    assert row == Row("me", "cyborg", 3, seeds, [4, 0, -7, 7], won, [False] * 4, decisions=160, seconds=2.0)
    assert row.wins == 2
    assert row.cells()[:6] == ("me", "cyborg", "3", "4", "2", "50.0 % [15.0, 85.0]")
    assert row.cells()[6].startswith("+1.00 [")
    assert row.cells()[7] == "12.5"


def test_a_bot_that_failed_has_lost_and_is_named_below() -> None:
    games = [result(0, 1, (9, 5), Failure(0, "lost my notes")), result(1, 1, (5, 6), Failure(0, "again"))]
    table = bench_table(games)
    assert table.rows[0][4] == "0"
    (note,) = table.notes
    for fact in ("me failed in 2 games", f"seed {DA_2.first_seed}", "seat 0", "lost my notes"):
        assert fact in note


def test_the_table_of_all_handicaps_rates_each_bot_at_each_level() -> None:
    results = run(Plan(("random", "greedy:1"), ("standard", "cyborg"), 12).matches(), this_process)
    table = bench_table(results)
    assert [row[:3] for row in table.rows] == [
        ("random", "standard", "12"),
        ("random", "cyborg", "12"),
        ("greedy:1", "standard", "12"),
        ("greedy:1", "cyborg", "12"),
    ]
    column = table.columns.index("handicap rating [95 %]")
    assert all(re.match(r"-1\d\.\d\d\* \[-", row[column]) for row in table.rows[:2])
    assert any("extrapolated" in note for note in table.notes)
    own = [row for row in rows_of(results) if (row.bot, row.level) == ("greedy:1", "standard")]
    assert table.rows[2][column] == str(rating_of(own))
    (easiest,) = [row for row in own if row.handicap == 0]
    assert table.rows[2][3:5] == (easiest.win_rate, easiest.mean_margin)


def test_a_bot_that_fails_wins_nothing_at_any_handicap() -> None:
    results = run(Plan((f"{BOTS}:Raising",), ("cyborg",), 2).matches(), this_process)
    assert str(rating_of(rows_of(results))) == "< 0"
