"""The command ``pocketmars play``, for playing in the terminal or in a browser."""

import importlib
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.cli.game_options import Settings
from pocketmars_agents.cli.seating import new_games, seating_of
from pocketmars_agents.play.new_games import NewGames
from pocketmars_agents.play.saved_games import Autosave, game_in_file, game_in_folder
from pocketmars_agents.play.seats import Seating
from pocketmars_env.core.agent import prepare
from pocketmars_env.core.errors import how_to_install
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.presentation.presenting import presentation_of


def play_command(
    spec: GameSpec,
    settings: Settings,
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help="The opponents. Default: Devious Automatics in a solo game, otherwise `multi` or `planner`. "
            "`pocketmars bots` lists the names."
        ),
    ] = None,
    humans: Annotated[int, typer.Option(help="Number of people.")] = 1,
    seat: Annotated[int, typer.Option(help="The first person's seat.")] = 0,
    practice: Annotated[
        bool | None,
        typer.Option(help="Whether actions can be undone.", show_default="only for one person"),
    ] = None,
    hint: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="The bot that gives hints.",
            show_default="planner for one person, none for several",
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the game.", show_default="random")] = None,
    save: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Save the game as this replay, or resume the unfinished game in it.",
            show_default="a new file in this folder",
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="Start a new game even if an unfinished one has these options.")
    ] = False,
    web: Annotated[bool, typer.Option("--web", help="Play in a browser on this machine.")] = False,
    port: Annotated[
        int,
        typer.Option(help="Port of the server (--web).", show_default="the game's last port, or a free one"),
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser (--web).")] = False,
) -> None:
    """Play against bots and other people.

    In Pocket Mars, you can also play alone against Devious Automatics. The game is saved as a replay after
    every action. Without `--new`, the same command in the same folder resumes the latest unfinished game,
    even after a crash. With `--web`, this includes games that were started in the browser, and the links
    to a resumed game's pages stay the same if the server can use the same port.

    Example: `pocketmars play planner --web`
    """
    with errors_of("play", None):
        if not web and not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise ValueError("play needs a terminal; --web plays in a browser instead")
        program = interface(web)
        seating = seating_of(spec, settings, bots or [], humans, seat, practice, hint)
        # Compile now, because the compile message cannot be printed after the interface has started.
        presentation_of(spec).prepare()
        for agent in (*seating.bots.values(), seating.hint):
            if agent is not None:
                prepare(agent, spec)
        games = new_games(spec, settings)
        with opened_game(seating, seed, save, new, games) as autosave:
            if web:
                play_in_browser(program, autosave, port, not no_browser, games)
            else:
                program.run(autosave)


def interface(web: bool) -> Any:
    """Return the module of the user interface; raise a ValueError if a library that it needs is missing."""
    name = "pocketmars_agents.play.web.server" if web else "pocketmars_agents.play.terminal.app"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("pocketmars_agents"):
            raise
        raise ValueError(f"playing needs {error.name}; {how_to_install('play')}") from error


@contextmanager
def opened_game(
    seating: Seating, seed: int | None, save: Path | None, is_new: bool, games: NewGames
) -> Iterator[Autosave]:
    """Context manager that starts or resumes a game, and saves and closes the current game at the end."""
    try:
        if save is None:
            autosave = game_in_folder(seating, seed, Path(), is_new, warn, games)
        else:
            autosave = game_in_file(seating, seed, save, is_new, games)
    except OSError as error:
        raise ValueError(f"cannot write {error.filename or save}: {error.strerror or error}") from error
    try:
        if autosave.is_continued:
            count = len(autosave.session.game.actions)
            typer.echo(f"Resuming {autosave.path} after {count} actions; --new starts another game.")
        yield autosave
    finally:
        end(autosave)


def warn(words: str) -> None:
    typer.echo(f"pocketmars play: {words}", err=True)


def end(autosave: Autosave) -> None:
    """Save and close the game, and print the path of its replay; raise a ValueError if saving fails."""
    try:
        autosave.keep()
    except OSError as error:
        raise ValueError(autosave.trouble) from error
    finally:
        autosave.close()
    typer.echo(f"The game is saved in {autosave.path}. To view it: pocketmars replay {autosave.path}")
    if not autosave.session.game.over:
        typer.echo("To continue the game, run the same play command again.")


def play_in_browser(server: Any, autosave: Autosave, port: int, opens: bool, new_games: NewGames) -> None:
    """Serve the players' pages until Ctrl-C is pressed; if `opens` is true, open the first page."""
    last_port = autosave.links.port
    pages = server.Pages(autosave, new_games)
    try:
        with server.serving(pages, port) as (process, listener, links):
            if last_port not in (0, autosave.links.port):
                typer.echo(f"The game's last port was {last_port}; the links have changed.")
            for seat, link in links.items():
                number = autosave.session.number_of(seat) + 1
                typer.echo(f"{'Your page' if len(links) == 1 else f'Player {number}'}: {link}")
            whose = "Each link is" if len(links) > 1 else "The link is"
            typer.echo(f"{whose} secret and works on this machine only. Press Ctrl-C to stop.")
            if opens:
                webbrowser.open(next(iter(links.values())))
            process.run([listener])
    except KeyboardInterrupt:
        pass  # Ctrl-C is the normal way to stop the server
