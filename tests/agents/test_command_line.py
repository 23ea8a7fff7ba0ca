"""The command `pocketmars`, as it is typed."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from agents import command_line
from agents.command_line import app
from pocketmars_env import __version__

BOTS = "tests.agents.bots"
FEW = ("--agents", "random,greedy:1", "--levels", "cyborg", "--games", "3")


@pytest.fixture(autouse=True)
def unchanged_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command adds the current folder to the import path; not for the tests after it."""
    monkeypatch.setattr(sys, "path", sys.path.copy())


def pocketmars(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def without_speed(table: str) -> str:
    """A Markdown table without its last column."""
    return re.sub(r"\|[^|]*\|$", "|", table, flags=re.MULTILINE)


def test_the_version_is_that_of_the_package() -> None:
    result = pocketmars("--version")
    assert (result.exit_code, result.output) == (0, f"pocketmars_env {__version__}\n")


@pytest.mark.parametrize("arguments", [["--help"], ["bench", "--help"]])
def test_help_is_given(arguments: list[str]) -> None:
    result = pocketmars(*arguments)
    assert result.exit_code == 0
    assert "Devious Automatics" in result.output


def test_the_module_is_the_command() -> None:
    command = [sys.executable, "-m", "agents", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == f"pocketmars_env {__version__}\n"


def test_bench_prints_a_row_for_each_bot_and_level() -> None:
    result = pocketmars("bench", *FEW, "--jobs", "1")
    assert (result.exit_code, result.stderr) == (0, "")
    rows = [line.split()[:4] for line in result.stdout.splitlines() if "cyborg" in line]
    assert [row[:3] for row in rows] == [["random", "cyborg", "3"], ["greedy:1", "cyborg", "3"]]


def test_the_same_command_prints_the_same_table(tmp_path: Path) -> None:
    out = ("--out", str(tmp_path / "results.jsonl"))
    tables = [pocketmars("bench", *FEW, "--jobs", "1", "--markdown", *more).stdout for more in ((), out, out)]
    assert without_speed(tables[0]) == without_speed(tables[1])
    assert tables[1] == tables[2], "the second time all games, and their times, come from the file"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--agents", "bob"], "unknown agent 'bob'; accepted: 'random', 'greedy', 'planner', 'greedy:N'"),
        (["--agents", ","], "at least one agent and one level are needed"),
        (["--levels", "easy"], "unknown level 'easy'; accepted: standard, super_droid, cyborg"),
        (["--games", "0"], "games must be an integer of at least 1, got 0"),
        (["--games", "-5"], "games must be an integer of at least 1, got -5"),
        (["--jobs", "0"], "jobs must be an integer of at least 1, got 0"),
        (["--out", "missing/results.jsonl"], "cannot write missing/results.jsonl"),
    ],
)
def test_a_bad_option_gets_one_line(arguments: list[str], complaint: str) -> None:
    result = pocketmars("bench", *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert complaint in result.stderr


def test_a_foreign_file_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("Dear diary\n")
    result = pocketmars("bench", *FEW, "--out", str(diary))
    assert result.exit_code == 2
    assert "is no results file" in result.stderr
    assert diary.read_text() == "Dear diary\n"


def test_a_failing_bot_is_named_below_the_table() -> None:
    result = pocketmars("bench", "--agents", f"{BOTS}:Raising", "--games", "1", "--jobs", "1")
    assert result.exit_code == 0
    assert f"{BOTS}:Raising failed in 3 games" in result.stdout


def test_an_interruption_ends_with_130_and_says_where_the_games_are(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    arguments = ["--agents", f"{BOTS}:Interrupting", "--games", "200", "--jobs", "1", "--out", str(out)]
    result = pocketmars("bench", *arguments)
    assert result.exit_code == 130
    assert result.stderr == (
        f"pocketmars bench: interrupted; the finished games are in {out}, "
        "and the same command goes on with them\n"
    )


def test_a_dead_process_is_reported() -> None:
    result = pocketmars("bench", "--agents", f"{BOTS}:Deadly", "--games", "20", "--jobs", "2")
    assert result.exit_code == 1
    assert result.stderr == "pocketmars bench: a process that played games died; the bot may have ended it\n"


def test_a_narrow_terminal_cuts_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = pocketmars("bench", *FEW).stdout
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setattr(command_line, "is_terminal", lambda: True)
    narrow = pocketmars("bench", *FEW).stdout
    assert "greedy:1" in narrow
    assert words_without_speed(narrow) == words_without_speed(wide)


def words_without_speed(table: str) -> list[list[str]]:
    """The words of a printed table's lines, without the last."""
    return [line.split()[:-1] for line in table.splitlines() if "─" not in line]
