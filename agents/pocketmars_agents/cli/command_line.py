"""The ``pocketmars`` command and its subcommands."""

import functools
import os
import sys
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup

from pocketmars_agents.cli.command_options import UsageError, bots_like, completion, errors_of, run_typer
from pocketmars_agents.cli.contests import arena, compare_bots, rate
from pocketmars_agents.cli.exact import exact_command
from pocketmars_agents.cli.game_options import (
    all_settings,
    for_any_number,
    for_game,
    for_several,
    without_players,
)
from pocketmars_agents.cli.games import game_commands_of
from pocketmars_agents.cli.ladder import ladder, submit, verify
from pocketmars_agents.cli.play import play_command
from pocketmars_agents.cli.precompile import precompile_command
from pocketmars_agents.cli.record import record_games
from pocketmars_agents.cli.replay import replay_command
from pocketmars_agents.cli.wasm import site_command, wasm_command
from pocketmars_agents.cli.watch import watch_command
from pocketmars_agents.line_protocol.engine import serve
from pocketmars_agents.registry import accepted_names
from pocketmars_env.core.game_spec import GAMES, GameSpec, default_game, game_named
from pocketmars_env.core.version import __version__

HELP = """Bots and benchmarks for the card games in this package.

Example: `pocketmars --game project_mars arena planner greedy`
"""


class GameFirst(TyperGroup):
    """The group of all commands; ``--game``, which chooses among them, may stand anywhere."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse a command line after moving ``--game NAME`` or ``--game=NAME`` to the front."""
        for place, word in enumerate(args):
            if word.partition("=")[0] == "--game":
                end = place + (1 if "=" in word else 2)
                args = args[place:end] + args[:place] + args[end:]
                break
        return super().parse_args(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; raise an error that names the game of a command that the chosen game lacks."""
        command = super().get_command(ctx, cmd_name)
        if command is None and cmd_name in commands_of(default_game()):
            raise UsageError(f"{cmd_name} is a command of {default_game().name}", ctx)
        return command


@functools.cache
def commands_of(spec: GameSpec) -> dict[str, Any]:
    """Return the commands for a game, keyed by name."""
    group: Any = typer.main.get_group(app_of(spec))
    return dict(group.commands)


def app_of(spec: GameSpec) -> typer.Typer:
    """Return the Typer app for a game, with the commands shared by all games and the game's own commands."""
    app = typer.Typer(
        name="pocketmars",
        cls=GameFirst,
        help=HELP,
        no_args_is_help=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )
    app.callback()(pocketmars)
    game_commands = game_commands_of(spec)
    app.command("play")(for_game(play_command, spec, for_any_number))
    app.command("watch")(for_game(watch_command, spec, for_any_number))
    app.command("replay")(replay_command)
    app.command("bots")(bots_command)
    app.command("arena")(for_game(arena, spec, for_several, bots=list(game_commands.line_up)))
    app.command("rate")(for_game(rate, spec, for_several))
    app.command("compare")(for_game(compare_bots, spec, without_players))
    game_commands.add_commands(app)
    app.command("exact")(exact_command)
    app.command("record")(for_game(record_games, spec, all_settings))
    app.command("engine")(engine_command)
    app.command("submit")(submit)
    app.command("verify")(verify)
    app.command("ladder")(ladder)
    app.command("precompile")(precompile_command)
    app.command("site")(site_command)
    app.command("wasm")(for_game(wasm_command, spec))
    return app


def engine_command(
    bot: Annotated[
        str, typer.Argument(help="The bot; `pocketmars bots` lists the names.", autocompletion=bots_like)
    ],
) -> None:
    """Serve a bot to another program through the line protocol.

    The protocol uses stdin and stdout. The other program chooses the game. Commands that accept bots, such as
    `pocketmars arena`, also accept an engine as a bot, for example "exec:pocketmars engine planner".

    Example: `pocketmars engine planner`
    """
    with errors_of("engine", None):
        serve(bot)


def bots_command() -> None:
    """List the accepted names of bots.

    Example: `pocketmars bots`
    """
    for name in accepted_names():
        typer.echo(name)


def print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"pocketmars_env {__version__}")
        raise typer.Exit


def check_game(name: str) -> str:
    """Return `name` if it is the name of a registered game; otherwise raise an error that lists the games."""
    try:
        return game_named(name).name
    except ValueError as error:
        raise UsageError(str(error)) from error


def choose_game(context: typer.Context, name: str) -> str:
    """Replace the default game's commands with those of another game."""
    spec, group = game_named(check_game(name)), cast(TyperGroup, context.command)
    if spec is not default_game():
        own = commands_of(default_game())
        added = {name: command for name, command in group.commands.items() if name not in own}
        group.commands = commands_of(spec) | added
    return name


def pocketmars(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
    game: Annotated[
        str,
        typer.Option(
            callback=choose_game,
            is_eager=True,
            help="The game to play.",
            autocompletion=completion(lambda: GAMES),
        ),
    ] = default_game().name,
) -> None:
    """Bots and benchmarks for the card games in this package."""
    sys.path.append(os.getcwd())  # so that module:Class finds bots in the current folder


def main() -> None:
    """Run the command ``pocketmars`` without the training scripts."""
    run_typer(app_of(default_game()), "pocketmars")
