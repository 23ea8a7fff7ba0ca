"""Ratings, their intervals and marks, and the tables and page of the ladder."""

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.page import page, tables
from pocketmars_agents.ladder.ranking import ranking
from pocketmars_agents.ladder.rows import PARTS, Cell, Row, add_row, new_row, read_rows

GAMES = 400


def row(name: str, division: Division, date: str = "2026-01-01", **rates: float) -> Row:
    """Return a row in which a bot wins the given share of its games against each opponent."""
    cells: list[Cell] = []
    for opponent, rate in rates.items():
        parts = np.where(np.random.default_rng(len(cells)).random(GAMES) < rate, PARTS, 0).astype(np.uint8)
        cells.append(Cell(opponent, parts.tobytes(), (1_000, 2_000), (1.0, 4.0)))
    is_own = name in division.bots
    more = {} if is_own else {"bundle": name.encode().hex().ljust(64, "0"), "secret": "1" * 64, "author": "A"}
    return replace(new_row(name, division, **more), date=date, cells=tuple(cells))


@pytest.fixture
def rows(division: Division) -> list[Row]:
    return [
        row("greedy", division, random=0.9),
        row("first", division, random=0.97, greedy=0.75),
        row("second", division, "2026-02-01", random=0.97, greedy=0.76),
        row("third", division, "2026-03-01", random=0.99, greedy=0.92),
    ]


def test_ratings_follow_the_results(division: Division, rows: list[Row]) -> None:
    ranks = ranking(division, rows)
    best, *_, second_worst, worst = ranks.ratings
    assert (best, second_worst, worst) == ("third", "greedy", "random")
    for name, rating in ranks.ratings.items():
        low, high = ranks.interval(name)
        assert low < rating < high
    odds = 10 ** ((ranks.ratings["greedy"] - ranks.ratings["random"]) / 400)
    assert 0.85 < odds / (1 + odds) < 0.95


def test_pairs_that_cannot_be_told_apart_are_marked(division: Division, rows: list[Row]) -> None:
    ranks = ranking(division, rows)
    assert ranks.are_equal("first", "second")
    assert not ranks.are_equal("first", "third")
    assert not ranks.are_equal("random", "greedy")
    ratings, _ = tables(division, rows, ranks)
    marks = {line[1]: line[4] for line in ratings.rows}
    assert {marks["first"], marks["second"]} == {"2", "3"}
    assert marks["third"] == marks["random"] == ""


def test_the_matrix_marks_even_results(division: Division, rows: list[Row]) -> None:
    rows = [*rows, row("fourth", division, random=0.95, greedy=0.5)]
    _, matrix = tables(division, rows, ranking(division, rows))
    cells = {line[0]: dict(zip(matrix.columns, line)) for line in matrix.rows}
    assert "≈" in cells["fourth"]["greedy"]
    assert "≈" not in cells["third"]["greedy"]


def test_the_cost_of_a_bot_includes_its_games_as_an_opponent(division: Division, rows: list[Row]) -> None:
    ratings, _ = tables(division, rows, ranking(division, rows))
    costs = {line[1]: (line[5], line[6]) for line in ratings.rows}
    assert costs["third"] == ("800", "1")
    assert costs["random"] == ("1,600", "2")
    assert costs["greedy"] == ("1,600", "1.86")  # 13 s for 7,000 decisions


def test_the_page_shows_the_ratings_by_date(
    division: Division, rows: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pocketmars_agents.ladder.page.all_divisions", lambda: {"test": division})
    assert "no results" in page(tmp_path)
    for one in rows:
        add_row(tmp_path, division, one)
    assert read_rows(tmp_path, division) == [one.signed() for one in rows]
    text = page(tmp_path)
    assert text.count("<circle") == len(rows)
    for one in rows:
        assert one.name in text
        assert one.date in text
