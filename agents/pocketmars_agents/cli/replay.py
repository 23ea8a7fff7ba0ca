"""The command ``pocketmars replay``: a game that was kept, in the terminal, as a page or as pictures."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.arena.tables import plain_console
from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.cli.keys import pressed_keys
from pocketmars_agents.cli.stepping import listing, step_through
from pocketmars_env.core.files.writing import whole_folder, write_whole
from pocketmars_env.core.presentation import presentation_of, seat_view_of
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.pixels import Pixels, picture_pixels
from pocketmars_env.core.svg.themes import THEMES, theme_named
from pocketmars_env.drawing.film import write_gif
from pocketmars_env.replays import Replay, ReplayError
from pocketmars_env.replays.page import check_seat, replay_page

SECONDS_PER_FRAME = 0.8
LEAST_SECONDS, MOST_SECONDS = 0.02, 15.0
LAST_FRAME = 4
"""For how many frames' time the last one of a moving picture stands."""


def replay_command(
    file: Annotated[Path, typer.Argument(help="The replay.")],
    seat: Annotated[
        int | None,
        typer.Option(help="Show what this seat knew.", show_default="all cards"),
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page for a browser.")
    ] = None,
    is_open: Annotated[
        bool, typer.Option("--open", help="With --seat: the page may show all cards too.")
    ] = False,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a moving picture.")] = None,
    seconds: Annotated[
        float, typer.Option(help="For how long the moving picture shows a position.")
    ] = SECONDS_PER_FRAME,
    svg: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a picture of every position.")
    ] = None,
    theme: Annotated[str, typer.Option(help=f"Of the pictures, of: {', '.join(THEMES)}.")] = "light",
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
) -> None:
    """Step through a replay, or make a page or pictures of it.

    Where there is no terminal, the moves are printed.
    """
    with errors_of("replay", None):
        if is_open and (seat is None or page is None):
            raise ValueError("--open is for --html with --seat; without --seat the page shows all cards")
        if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            raise ValueError(f"seconds must be in {LEAST_SECONDS}..{MOST_SECONDS:g}, got {seconds:g}")
        theme_named(theme)
        replay = Replay.load(file)
        check_seat(replay, seat)
        check_free([path for path in (page, gif, svg) if path is not None], force)
        if page is not None:
            with writing(page):
                write_whole(page, replay_page(replay, seat, is_open).encode())
        if svg is not None:
            with writing(svg):
                write_pictures(replay, seat, theme, svg)
        if gif is not None:
            with writing(gif):
                write_moving_picture(replay, seat, theme, gif, seconds)
        if page is svg is gif is None:
            show(replay, seat)


def check_free(paths: list[Path], force: bool) -> None:
    """Raise a ValueError if a file is there, or a folder with something in it, unless `force`."""
    for path in paths:
        if path.exists() and not force and not (path.is_dir() and not any(path.iterdir())):
            raise ValueError(f"{path} exists; --force replaces it")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Raise a ReplayError that names `path` if it cannot be written."""
    try:
        yield
    except OSError as error:
        raise ReplayError(f"cannot write {path}: {error.strerror or error}") from error


def show(replay: Replay, seat: int | None) -> None:
    """Step through in the terminal, or print the moves and the last table if there is none."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        with pressed_keys() as keys:
            step_through(replay, seat, plain_console(), keys)
    else:
        table = presentation_of(replay.spec).text(seat_view_of(replay.final(), seat), is_coloured=False)
        typer.echo(f"{listing(replay, seat)}\n{table}", nl=False)


def write_pictures(replay: Replay, seat: int | None, theme: str, folder: Path) -> None:
    """An SVG file for each position, numbered from 0, in a folder that is made.

    A folder that has something in it already gets them one by one.
    """
    if folder.is_dir() and any(folder.iterdir()):
        for name, picture in files(replay, seat, theme):
            write_whole(folder / name, picture)
        return
    with whole_folder(folder) as unfinished:
        for name, picture in files(replay, seat, theme):
            (unfinished / name).write_bytes(picture)


def pictures(replay: Replay, seat: int | None, theme: str) -> Iterator[Picture]:
    """The picture of each position."""
    presentation = presentation_of(replay.spec)
    for game in replay.games():
        yield presentation.picture(seat_view_of(game, seat), theme_named(theme))


def files(replay: Replay, seat: int | None, theme: str) -> Iterator[tuple[str, bytes]]:
    """File name and content of the picture of each position."""
    digits = len(str(len(replay.actions)))
    for number, picture in enumerate(pictures(replay, seat, theme)):
        yield f"{number:0{digits}}.svg", picture.svg().encode()


def write_moving_picture(replay: Replay, seat: int | None, theme: str, path: Path, seconds: float) -> None:
    """A GIF of all positions, the last of which stands longer."""
    times = [seconds] * len(replay.actions) + [LAST_FRAME * seconds]
    try:
        write_gif(path, frames(replay, seat, theme), times)
    except ModuleNotFoundError as error:
        raise ValueError(f"--gif: {error}") from error


def frames(replay: Replay, seat: int | None, theme: str) -> Iterator[Pixels]:
    return map(picture_pixels, pictures(replay, seat, theme))
