"""Tests of the command `pocketmars` and its subcommands."""

import os
import re
import shlex
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.progress import Progress

from pocketmars_agents.arena import text_table
from pocketmars_agents.arena.arena import FIRST_SEED
from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.cli.command_options import Activity
from pocketmars_env import __version__
from pocketmars_env.core.compiled.compile_notice import compile_notice
from pocketmars_env.core.game_spec import GAMES
from pocketmars_env.replays import Replay
from pocketmars_training.command_line import full_app, main
from tests.agents.playing import output_of, pocketmars, refusal_of, wait_for

app = full_app()

BOTS = "tests.agents.bots"
FEW = ("random", "greedy:1", "--level", "cyborg", "--deals", "3")
ONE_PROCESS = ("--jobs", "1")
COMMANDS = {
    "bench": ("bench", *FEW),
    "arena": ("arena", "greedy:1", "random", "--players", "3", "--deals", "4"),
    "rate": ("rate", "greedy:1", "random", "planner:1", "--deals", "4"),
    "compare": ("compare", "greedy:1", "random", "--max-games", "200"),
}
"""An example of every command that plays games."""


def without_time(table: str) -> str:
    """Return a Markdown table without its last column if the table has decision times."""
    if "ms/decision" not in table:
        return table
    return re.sub(r"\|[^|]*\|$", "|", table, flags=re.MULTILINE)


def test_the_version_is_that_of_the_package() -> None:
    assert output_of("--version") == f"pocketmars_env {__version__}\n"


def helps(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the help texts of a command and its subcommands, except commands without a help option."""
    if command.add_help_option:
        yield path, command.help
    for name, below in getattr(command, "commands", {}).items():
        yield from helps(below, (*path, name))


def test_every_help_text_has_an_example_that_can_be_run() -> None:
    whole = typer.main.get_command(app)
    found = {path: re.findall(r"Example: `pocketmars (.+?)`", text) for path, text in helps(whole)}
    assert len(found) > 10
    for path, (example,) in found.items():
        arguments = shlex.split(example)
        if arguments[:1] == ["--game"]:
            arguments = arguments[2:]
        assert tuple(arguments[: len(path)]) == path
        name, *others = arguments
        whole.commands[name].make_context(name, others)  # type: ignore[attr-defined]


@pytest.mark.parametrize("group", [(), *(("--game", game) for game in GAMES), ("train",)], ids=" ".join)
def test_summaries_of_commands_fit_in_80_columns(
    group: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    commands = output_of(*group, "--help").partition("Commands:\n")[2].splitlines()
    assert len(commands) > 5
    assert [line for line in commands if line.endswith("...")] == []


def test_bench_takes_the_earlier_names_of_its_options() -> None:
    few = ("bench", "random", "--handicap", "0", *ONE_PROCESS, "--markdown")
    tables = [
        output_of(*few, *names)
        for names in (("--deals", "2", "--level", "cyborg"), ("--games", "2", "--levels", "cyborg"))
    ]
    assert without_time(tables[0]) == without_time(tables[1])
    assert tables[0].count("| random |") == 1


each_command = pytest.mark.parametrize(
    "command",
    [name if name == "arena" else pytest.param(name, marks=pytest.mark.slow) for name in COMMANDS],
)


@each_command
def test_the_same_command_prints_the_same_table(command: str, tmp_path: Path) -> None:
    arguments, out = COMMANDS[command], ("--out", str(tmp_path / "results.jsonl"))
    variants: tuple[tuple[str, ...], ...] = ((*ONE_PROCESS,), ("--jobs", "2", *out), (*ONE_PROCESS, *out))
    tables = [output_of(*arguments, "--markdown", *more) for more in variants]
    assert len({without_time(table) for table in tables}) == 1
    assert tables[1] == tables[2], "the third time all games, and times, come from the file"


def test_bench_plays_all_handicaps_and_prints_a_rating_for_each_bot_and_level(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    table = output_of("bench", *FEW, *ONE_PROCESS, "--out", str(out))
    assert "handicap rating" in table
    rows = [line.split()[:3] for line in table.splitlines() if "cyborg" in line]
    assert rows == [["random", "cyborg", "3"], ["greedy:1", "cyborg", "3"]]
    played = Counter(game.match.config.handicap for game in read_results(out)[1])
    assert played == dict.fromkeys((0, 3, 6, 9, 12), 2 * 3)


def test_bench_plays_one_handicap_without_a_rating(tmp_path: Path) -> None:
    out, replays = tmp_path / "results.jsonl", tmp_path / "replays"
    options = ("--handicap", "6", "--da", "greedy:1", "--out", str(out), "--replays", str(replays))
    table = output_of("bench", *FEW, *ONE_PROCESS, *options)
    assert "rating" not in table
    rows = [line.split()[:4] for line in table.splitlines() if "cyborg" in line]
    assert rows == [["random", "cyborg", "6", "3"], ["greedy:1", "cyborg", "6", "3"]]
    assert {game.match.config.handicap for game in read_results(out)[1]} == {6}
    files = [Replay.load(path) for path in replays.iterdir()]
    assert [replay.config.handicap for replay in files] == [6] * 6


@pytest.mark.parametrize("command", ["arena", "rate", "compare"])
def test_settings_and_deals_are_those_that_were_asked_for(command: str, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    settings = ("--draft", "--edition", "board_and_dice", "--first-deal", "1000")
    output_of(*COMMANDS[command], *settings, "--seconds-per-decision", "50", *ONE_PROCESS, "--out", str(out))
    matches = [result.match for result in read_results(out)[1]]
    assert {(match.config.draft, match.config.edition) for match in matches} == {(True, "board_and_dice")}
    assert {match.seconds_per_decision for match in matches} == {50.0}
    assert min(match.seed for match in matches) == FIRST_SEED + 1000


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["bench", "bob"], "unknown agent 'bob'; `pocketmars bots`"),
        (["arena", "duel", "random"], "arena: duel plays only Project Mars, not Pocket Mars"),
        (["ladder", "--folder", "nowhere"], "ladder: nowhere is not a folder"),
        (["bench", "gredy:4"], "bench: did you mean 'greedy'? unknown agent 'gredy:4'"),
        (["record", "random", "--out", "x", "--format", "minary"], "record: did you mean 'minari'?"),
        (["bench", "--levels", ","], "at least one bot, one level and one handicap are needed"),
        (["bench", "--suite", "da-0"], "did you mean 'da-2'? suite must be one of 'da-2', got 'da-0'"),
        (["bench", "--handicap", "21"], "handicap must be an integer in 0..20, got 21"),
        (["bench", "--deals", "0"], "deals must be an integer in 1..10000, got 0"),
        (["bench", "--jobs", "0"], "jobs must be an integer of at least 1, got 0"),
        (["bench", "--out", "missing/results.jsonl"], "cannot write missing/results.jsonl"),
        (["bench", "--seconds-per-decision", "0"], "seconds_per_decision must be a finite number above 0"),
        (["arena", "random"], "a game of 2 players is for 2 bots, got 1"),
        (["arena", "random", "random", "--deals", "0"], "deals must be an integer in 1..4294967295, got 0"),
        (["rate", "random"], "at least 2 different bots are needed, got random"),
        (["compare", "random", "greedy", "--elo0", "9", "--elo1", "5"], "elo0 < elo1"),
        (["compare", "random", "greedy", "--alpha", "2"], "alpha must be above 0 and below 0.5, got 2"),
        (["compare", "random", "greedy", "--max-games", "1"], "max-games must be in 2..8589934590, got 1"),
        (["compare", "random", "random"], "a comparison needs two different bots, got random twice"),
    ],
)
def test_a_bad_option_gets_one_line(arguments: list[str], complaint: str) -> None:
    line = refusal_of(*arguments)
    assert line.startswith(f"pocketmars {arguments[0]}: ")
    assert complaint in line


@pytest.mark.parametrize(
    ("arguments", "beginning"),
    [
        (["arrena"], "pocketmars: did you mean 'arena'?"),
        (["bench", "--handycap", "3"], "pocketmars bench: did you mean --handicap?"),
        (["--game", "project_mar", "bots"], "pocketmars: did you mean 'project_mars'?"),
        (["train", "sollo"], "pocketmars train: did you mean 'solo'?"),
        (["compare", "random"], "pocketmars compare: Missing argument"),
    ],
)
def test_a_wrong_command_line_gets_two_lines_that_begin_with_the_suggestion(
    arguments: list[str],
    beginning: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["pocketmars", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    complaint = capsys.readouterr().err
    assert ended.value.code == 2
    assert complaint.startswith(beginning)
    assert len(complaint.splitlines()) == 2


@pytest.mark.parametrize("words", [("--game", "project_mars"), ("--game=project_mars",)], ids=" ".join)
@pytest.mark.parametrize("place", range(3))
def test_the_game_may_be_chosen_anywhere(place: int, words: tuple[str, ...]) -> None:
    command = ["arena", "random", "--help"]
    result = pocketmars(*command[:place], *words, *command[place:])
    assert "--deck" in result.stdout
    assert "--edition" not in result.stdout


def test_a_command_of_another_game_is_refused() -> None:
    result = pocketmars("--game", "project_mars", "bench", "random")
    assert result.exit_code == 2
    assert "bench is a command of pocket_mars" in result.stderr


def test_a_failing_bot_is_named_below_the_table() -> None:
    table = output_of("bench", f"{BOTS}:Raising", "--games", "1", "--handicap", "0", *ONE_PROCESS)
    assert f"{BOTS}:Raising failed in 3 games" in table
    assert re.search(r"LookupError: lost my notes\s+\(bots.py,\s+line\s+\d+\)", table)


def test_kept_failures_are_announced(tmp_path: Path) -> None:
    arguments = ("arena", f"{BOTS}:Raising", "random", "--deals", "1", "--out", str(tmp_path / "x.jsonl"))
    assert [pocketmars(*arguments, *ONE_PROCESS).stderr.count("use another file") for _ in range(2)] == [0, 1]


def test_an_interruption_ends_with_130_and_says_where_the_games_are(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    result = pocketmars("bench", f"{BOTS}:Interrupting", "--games", "500", *ONE_PROCESS, "--out", str(out))
    assert result.exit_code == 130
    assert result.stderr.startswith("pocketmars bench: interrupted")
    assert str(out) in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends Ctrl-C in another way")
def test_ctrl_c_stops_all_processes_and_the_same_command_goes_on(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    options = "--levels cyborg --games 400 --handicap 0 --jobs 2 --markdown --out"
    command = [sys.executable, "-m", "pocketmars_agents", "bench", "planner", *options.split(), str(out)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        wait_for(lambda: out.exists() and out.read_bytes().count(b"\n") > 20)
        os.killpg(process.pid, signal.SIGINT)  # like a terminal, signal every process of the command
        printed, complaint = process.communicate(timeout=30)
    assert (process.returncode, printed) == (130, "")
    assert complaint.startswith("pocketmars bench: interrupted; the finished games are in")
    assert len(complaint.splitlines()) == 1
    assert 20 < out.read_bytes().count(b"\n") < 400
    resumed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    fresh = subprocess.run(command[:-2], capture_output=True, text=True, check=True).stdout
    assert without_time(resumed) == without_time(fresh)


@pytest.mark.slow
def test_a_dead_process_is_reported() -> None:
    result = pocketmars("bench", f"{BOTS}:Deadly", "--games", "20", "--jobs", "2")
    assert result.exit_code == 1
    assert result.stderr == "pocketmars bench: a process that played games died; the bot may have ended it\n"


@each_command
def test_tables_fit_in_a_narrow_terminal(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = (*COMMANDS[command], *ONE_PROCESS, "--out", str(tmp_path / "results.jsonl"))
    wide = output_of(*arguments)
    monkeypatch.setattr(text_table, "is_terminal", lambda: True)
    for width in (80, 40):
        monkeypatch.setenv("COLUMNS", str(width))
        narrow = output_of(*arguments)  # the games are read from the file
        assert max(map(len, wide.splitlines())) > width >= max(map(len, narrow.splitlines()))
        assert set(narrow.split()) >= {word for word in wide.split() if "─" not in word}


# --- plots, verdicts and completion ---------------------------------------------------------------


def test_tables_are_also_plotted(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    raw, plot = str(tmp_path / "raw.jsonl"), tmp_path / "plot.svg"
    bench = ("bench", *FEW, *ONE_PROCESS, "--out", raw)
    rate = (*COMMANDS["rate"], *ONE_PROCESS)
    for arguments in (bench, (*bench, "--handicap", "0"), rate):
        output_of(*arguments, "--plot", str(plot))
        assert plot.read_bytes().startswith(b"<?xml")
        plot.unlink()


def test_a_plot_that_cannot_be_written_is_refused_before_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ".svg" in refusal_of("rate", "random", "greedy", "--plot", "plot.jpg")
    assert "no folder" in refusal_of("bench", "random", "--plot", "missing/plot.svg")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert ".[train]" in refusal_of("bench", "random", "--plot", "plot.svg")


@pytest.mark.parametrize(
    ("words", "last"),
    [
        ("pocketmars be", "bench"),
        ("pocketmars compare greedy plann", "planner"),
        ("pocketmars arena --edition board", "board_and_dice"),
        ("pocketmars --game proj", "project_mars"),
    ],
)
def test_the_shell_completes_commands_bots_and_choices(
    words: str, last: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_POCKETMARS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().out.split() == [last]


# --- Ray ------------------------------------------------------------------------------------------


def test_without_ray_the_command_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    line = refusal_of("compare", "random", "greedy", "--ray", "auto")
    assert line.startswith(
        "pocketmars compare: --ray needs Ray; run in the clone: pip install -c constraints"
    )
    assert ".[ray]" in line


def test_the_progress_bar_names_what_is_being_compiled() -> None:
    progress, activity = Progress(), Activity()
    progress.add_task("playing")
    (task,) = progress.tasks
    assert str(activity.render(task)) == "playing"
    with compile_notice("A game", "rules", seconds=25):
        assert str(activity.render(task)) == "compiling the rules"
