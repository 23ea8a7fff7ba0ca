"""The benchmark: its plan, and its table."""

from typing import Any

import pytest

from agents.bench import DEFAULT_GAMES, Plan, Row, bench_table, rows_of
from agents.matches import Match
from agents.playing import play_matches
from agents.results import Failure, GameResult
from agents.running import run
from agents.suites import DA_1
from agents.workers import this_process

BOTS = "tests.agents.bots"


def result(deal: int, winner: int, scores: tuple[int, int], failure: Failure | None = None) -> GameResult:
    match = Match(("me",), DA_1.config("cyborg"), DA_1.seed(deal))
    return GameResult(match, (winner,), scores, False, (40, 0), (0.5, 0.0), failure)


def test_every_bot_plays_the_first_deals_at_every_level() -> None:
    matches = Plan(("random", "greedy"), ("standard", "cyborg"), 3).matches()
    assert [(match.bots, match.config.level, match.seed - DA_1.first_seed) for match in matches] == [
        ((bot,), level, deal)
        for bot in ("random", "greedy")
        for level in ("standard", "cyborg")
        for deal in range(3)
    ]


def test_bots_and_levels_are_counted_once_under_their_shortest_name() -> None:
    plan = Plan(("greedy", "greedy:8"), ("cyborg", "cyborg"), 2)
    assert [match.bots for match in plan.matches()] == [("greedy",)] * 2


def test_the_default_plan_is_that_of_the_first_command() -> None:
    assert Plan() == Plan(("random", "greedy", "solo"), ("standard", "super_droid", "cyborg"), 5_000)
    assert DEFAULT_GAMES == 5_000


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"bots": ("bob",)}, "unknown agent 'bob'; accepted: 'random'"),
        ({"bots": ()}, "at least one bot"),
        ({"levels": ("hard",)}, "level must be one of 'standard', 'super_droid', 'cyborg', got 'hard'"),
        ({"games": 0}, r"games must be an integer in 1\.\.10000, got 0"),
        ({"games": 10_001}, r"games must be an integer in 1\.\.10000, got 10001"),
        ({"da": "bob"}, "unknown agent 'bob'"),
    ],
)
def test_a_plan_says_what_is_accepted(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Plan(**settings)


def test_any_bot_may_decide_for_devious_automatics() -> None:
    plans = [Plan(("greedy:1",), ("cyborg",), 40, da=da) for da in ("automaton", "random", "greedy:1")]
    margins = [sum(rows_of(run(plan.matches(), this_process))[0].margins) for plan in plans]
    assert len({*margins}) == 3
    assert {match.config.da_agent for match in plans[1].matches()} == {True}
    assert plans[2].matches()[0].bots == ("greedy:1", "greedy:1")


# --- the table ------------------------------------------------------------------------------------


def test_a_row_sums_up_the_games_of_a_bot_at_a_level() -> None:
    games = [result(0, 0, (9, 5)), result(1, 1, (5, 5)), result(2, 1, (2, 9)), result(3, 0, (8, 1))]
    (row,) = rows_of(games)
    assert row == Row("me", "cyborg", [4, 0, -7, 7], wins=2, decisions=160, seconds=2.0)
    assert row.cells()[:5] == ("me", "cyborg", "4", "2", "50.0 % [15.0, 85.0]")
    assert row.cells()[5].startswith("+1.00 [")
    assert row.cells()[6] == "12.5"


def test_a_bot_that_failed_has_lost_and_is_named_below() -> None:
    games = [result(0, 1, (9, 5), Failure(0, "lost my notes")), result(1, 1, (5, 6), Failure(0, "again"))]
    table = bench_table(games)
    assert table.rows[0][3] == "0"
    (note,) = table.notes
    assert note == (
        "me failed in 2 games, which count as lost, with the points at that moment; "
        f"the first: seed {DA_1.first_seed}, seat 0: lost my notes"
    )


def test_the_table_has_a_row_for_each_bot_and_level() -> None:
    plan = Plan(("random", "greedy:1"), ("standard", "cyborg"), 12)
    matches = plan.matches()
    played = [game for i in range(0, len(matches), 12) for game in play_matches(matches[i : i + 12])]
    lines = bench_table(played).markdown().splitlines()
    assert len(lines) == 2 + 4
    assert {line.count("|") for line in lines} == {8}
    assert lines[2].startswith("| random | standard | 12 | 0 | 0.0 % [0.0, 24.2] |")
