"""The commands work with a third-party game."""

import re
from pathlib import Path

import pytest
import typer

from pocketmars_agents.arena.results_file import read_results
from pocketmars_agents.cli.command_line import app_of
from pocketmars_agents.cli.game_commands import GameCommands
from pocketmars_agents.cli.games import add_game_commands, game_commands_of
from pocketmars_agents.cli.seating import seating_of
from tests.agents.playing import output_of, pocketmars
from tests.third_game.pairs import SPEC, PairsConfig

ONE_PROCESS = ("--jobs", "1")


def test_an_arena_by_the_command(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    command = ("--game", "pairs", "arena", "random", "random", "--players", "3", "--deals", "4")
    output_of(*command, *ONE_PROCESS, "--out", str(out))
    header, games = read_results(out)
    assert (header.game, len(games)) == ("pairs", 12)
    assert {game.match.config for game in games} == {PairsConfig(3)}


def test_a_recording_by_the_command(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    command = ("--game", "pairs", "record", "random", "--games", "3", "--format", "parquet")
    output_of(*command, *ONE_PROCESS, "--out", str(tmp_path))
    assert (tmp_path / "pairs" / "2-players-random-v0" / "decisions.parquet").exists()


def test_its_settings_are_the_options() -> None:
    options = {
        name: set(re.findall(r"--[a-z-]+", output_of("--game", "pairs", name, "--help")))
        for name in ("arena", "compare", "watch", "play", "record")
    }
    assert {name for name, found in options.items() if "--players" in found} == set(options) - {"compare"}
    assert not {"--level", "--edition", "--handicap", "--mode"} & set.union(*options.values())


def test_benchmarks_of_other_games_are_not_offered() -> None:
    words = output_of("--game", "pairs", "--help").split()
    assert {"arena", "record"} <= set(words)
    assert "bench" not in words
    result = pocketmars("--game", "pairs", "bench")
    assert result.exit_code == 2
    assert "bench" in result.stderr


def test_an_unknown_game_is_named() -> None:
    result = pocketmars("--game", "chess", "arena")
    assert result.exit_code == 2
    assert "game" in result.output


def test_one_call_registers_its_own_commands() -> None:
    def add_commands(app: typer.Typer) -> None:
        app.command("cheat")(lambda: None)

    add_game_commands(GameCommands(game=SPEC, opponent="greedy", add_commands=add_commands))
    try:
        assert "cheat" in [command.name for command in app_of(SPEC).registered_commands]
        assert [bot.name for bot in seating_of(SPEC, {}).bots.values()] == ["greedy"]
    finally:
        add_game_commands(GameCommands(game=SPEC))
    assert game_commands_of(SPEC).opponent == "random"
