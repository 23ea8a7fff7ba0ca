"""Tests of table cells and text tables."""

import math
import re

import pytest

from pocketmars_agents.arena import text_table
from pocketmars_agents.arena.text_table import TextTable, milliseconds, percent, show, signed

UNKNOWN = (math.nan, math.nan)


def test_cells_show_a_value_with_its_interval() -> None:
    assert percent(0.788, (0.776, 0.799)) == "78.8 % [77.6, 79.9]"
    assert signed(2.834, (-2.73, 2.931)) == "+2.83 [-2.73, +2.93]"
    assert signed(-19.6, (-math.inf, 3), digits=0) == "-20 [-inf, +3]"


def test_of_one_game_nothing_is_known_about_the_spread() -> None:
    assert percent(1.0, UNKNOWN) == "100.0 %"
    assert signed(-19, UNKNOWN) == "-19.00"


@pytest.mark.parametrize(
    ("seconds", "decisions", "text"), [(0.5, 40, "12.5"), (1e-6, 3, "0.000333"), (0, 0, "-")]
)
def test_the_time_of_a_decision(seconds: float, decisions: int, text: str) -> None:
    assert milliseconds(seconds, decisions) == text


def test_a_table_in_markdown() -> None:
    table = TextTable(("bot", "wins"), 1, (("a", "3"), ("b", "4")), ("A note.", "Another."))
    assert TextTable(("a|b",), 1, ()).markdown() == "| a\\|b |\n| --- |"
    assert table.markdown() == ("| bot | wins |\n| --- | ---: |\n| a | 3 |\n| b | 4 |\n\nA note.\n\nAnother.")


def test_a_terminal_shows_names_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    names = "puct:100:policy=a.onnx", "runs/[b]/table.onnx"
    show(TextTable(("bot", "wins"), 1, tuple((name, "1") for name in names)), is_markdown=False)
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[3:5]] == list(names)


@pytest.fixture
def narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(text_table, "is_terminal", lambda: True)


@pytest.mark.usefixtures("narrow_terminal")
def test_a_narrow_terminal_shows_a_table_in_parts(capsys: pytest.CaptureFixture[str]) -> None:
    columns = ("bot", "first [95 %]", "wins", "second [95 %]", "wins")
    row = ("planner", "10.77 [10.14, 11.47]", "100 %", "9.30 [8.35, 10.27]", "96 %")
    show(TextTable(columns, 1, (row,), ("A note that is longer than forty characters",)), is_markdown=False)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 40
    cells = [re.split(r"  +", line) for line in printed.splitlines() if "planner" in line]
    assert cells == [[row[0], *row[1:3]], [row[0], *row[3:]]]  # the wins stay with their ratings


@pytest.mark.usefixtures("narrow_terminal")
def test_a_narrow_terminal_folds_only_long_names(capsys: pytest.CaptureFixture[str]) -> None:
    name = "puct:100:policy=runs/a_run_with_a_long_name/table.onnx"
    show(TextTable(("bot", "wins"), 1, ((name, "100.0 % [99.5, 100.0]"),)), is_markdown=False)
    printed = capsys.readouterr().out
    assert max(map(len, printed.splitlines())) <= 40
    assert "100.0 % [99.5, 100.0]" in printed
    assert name in "".join(line.split("   ")[0].strip() for line in printed.splitlines())
