"""The command ``pocketmars play``: a person against bots, in the terminal or in a browser."""

import importlib
import sys
import webbrowser
from pathlib import Path
from typing import Annotated, Any

import typer

from agents.base import ACCEPTED_AGENTS, make_agent
from agents.command_options import Draft, Edition, errors_of
from agents.human.keeping import Keeper, free_path
from agents.human.phases import ensure_compiled
from agents.human.sitting import Sitting
from agents.shipped import TABLE, can_play_policies
from pocketmars_env.drawing.seeing import seat_name
from pocketmars_env.engine.config import EDITIONS, LEVELS, GameConfig

EXTRA = "pip install 'pocketmars-env[play]'"
DEFAULT_BOT = TABLE if can_play_policies() else "planner"


def play_command(
    bots: Annotated[
        list[str] | None,
        typer.Argument(
            help=f"Whom to play against; none: alone against Devious Automatics. Accepted: {ACCEPTED_AGENTS}."
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(help="2, 3 or 4; the last bot takes the seats that remain.", show_default="as named"),
    ] = None,
    level: Annotated[str, typer.Option(help=f"Of Devious Automatics, of: {', '.join(LEVELS)}.")] = LEVELS[0],
    humans: Annotated[int, typer.Option(help="How many people play.")] = 1,
    seat: Annotated[int, typer.Option(help="The first person's seat.")] = 0,
    draft: Draft = False,
    edition: Edition = EDITIONS[0],
    practice: Annotated[
        bool, typer.Option("--practice", help="Answers may be taken back; for one person.")
    ] = False,
    hint: Annotated[str | None, typer.Option(metavar="BOT", help="Who gives hints.")] = None,
    seed: Annotated[int | None, typer.Option(help="Decides the game.", show_default="by chance")] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep the game as this replay.", show_default="a new file here"),
    ] = None,
    web: Annotated[bool, typer.Option("--web", help="Play in a browser on this machine.")] = False,
    port: Annotated[int, typer.Option(help="With --web; 0 takes a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="With --web: open no browser.")] = False,
) -> None:
    """Play Pocket Mars: alone against Devious Automatics, or against bots and other people.

    Every game is kept as a replay, also one that is left before its end.
    """
    with errors_of("play", None):
        if save is not None and save.exists():
            raise ValueError(f"{save} exists; give --save a new name")
        if not web and not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise ValueError("playing needs a terminal, for its keys and its screen; --web needs none")
        program = interface(web)
        sitting = sitting_of(bots or [], players, level, humans, seat, draft, edition, practice, hint, seed)
        path = save or free_path(sitting, Path())
        ensure_compiled()  # here, where it is said why it takes long; a page could only wait
        if web:
            play_in_browser(program, sitting, path, port, not no_browser)
        else:
            program.run(sitting, path)


def interface(web: bool) -> Any:
    """The module that shows the game; its libraries are loaded with it.

    Raises:
        ValueError: if they are not installed.

    """
    name = "agents.human.server" if web else "agents.human.terminal"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("agents"):
            raise
        raise ValueError(f"playing needs {error.name}: {EXTRA}") from error


def sitting_of(
    bots: list[str],
    players: int | None,
    level: str,
    humans: int,
    seat: int,
    draft: bool,
    edition: str,
    practice: bool,
    hint: str | None,
    seed: int | None,
) -> Sitting:
    """The game that the options name.

    Raises:
        ValueError: says which option does not fit.

    """
    if humans < 1:
        raise ValueError(f"humans must be 1 or more, got {humans}")
    if not bots and players is None and humans == 1:
        config = GameConfig(mode="solo", level=level, draft=draft, edition=edition)
    else:
        config = GameConfig(players=players or len(bots) + humans, draft=draft, edition=edition)
    if humans > config.players:
        raise ValueError(f"{humans} people do not fit at a table for {config.players}")
    if not 0 <= seat < config.players:
        raise ValueError(f"seat must be in 0..{config.players - 1}, got {seat}")
    order = [seat_name(config.mode, (seat + i) % config.players) for i in range(config.players)]
    people, others = order[:humans], sorted(order[humans:])
    if len(bots) > len(others):
        raise ValueError(f"{len(bots)} bots do not fit beside {humans} at a table for {config.players}")
    named = bots or [DEFAULT_BOT]
    names = named + named[-1:] * (len(others) - len(named)) if others else []
    return Sitting(
        config,
        {name: make_agent(bot) for name, bot in zip(others, names, strict=True)},
        people,
        seed,
        practice,
        None if hint is None else make_agent(hint),
    )


def play_in_browser(server: Any, sitting: Sitting, path: Path, port: int, opens: bool) -> None:
    """Serve the pages until Ctrl-C, and keep the replay."""
    keeper = Keeper(sitting, path)
    try:
        with server.serving(server.Pages(sitting, keeper), port) as (process, place, links):
            for name, link in links.items():
                typer.echo(f"{name}: {link}")
            whose = "Each link is" if len(links) > 1 else "The link is"
            typer.echo(f"{whose} a secret of its seat and works on this machine. Ctrl-C ends.")
            if opens:
                webbrowser.open(next(iter(links.values())))
            process.run([place])
    except KeyboardInterrupt:
        pass  # that is how it ends
    finally:
        keep(keeper)


def keep(keeper: Keeper) -> None:
    """Keep the replay, and say where."""
    try:
        keeper.keep()
    except OSError as error:
        raise ValueError(f"cannot write {keeper.path}: {error.strerror}") from error
    typer.echo(f"The game is kept in {keeper.path}: pocketmars replay {keeper.path}")
