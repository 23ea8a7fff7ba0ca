"""The command ``pocketmars replay``, which prints a replay or writes a page, pictures or an animation."""

import webbrowser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.analysis import ANALYST, analysis_of, analyst_named
from pocketmars_agents.arena.text_table import is_terminal
from pocketmars_agents.cli.command_options import errors_of, with_bar
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.canvas import Picture
from pocketmars_env.core.svg.pixels import picture_pixels
from pocketmars_env.core.svg.themes import THEMES, theme_named
from pocketmars_env.drawing.film import write_gif
from pocketmars_env.replays import Replay, ReplayError
from pocketmars_env.replays.moves import moves_of, seat_labels
from pocketmars_env.replays.page import check_seat, replay_page

SECONDS_PER_FRAME = 0.8
LEAST_SECONDS, MOST_SECONDS = 0.02, 15.0
LAST_FRAME = 4
"""The duration of the last frame of an animation, as a multiple of the duration of each earlier frame."""


def replay_command(
    file: Annotated[Path, typer.Argument(help="The replay.")],
    seat: Annotated[
        int | None,
        typer.Option(help="Show what this seat knew.", show_default="all cards"),
    ] = None,
    move: Annotated[
        int | None, typer.Option(help="Print the table after this many moves.", show_default="all")
    ] = None,
    page: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Write a page with a slider for a browser.")
    ] = None,
    is_open: Annotated[
        bool, typer.Option("--open", help="With --html and --seat: readers can switch to all cards.")
    ] = False,
    analysis: Annotated[
        str | None,
        typer.Option(
            metavar="BOT", help=f"With --html: the bot that evaluates every decision, such as {ANALYST}."
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", help="With --html: open the page.")] = False,
    gif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an animation.")] = None,
    seconds: Annotated[
        float, typer.Option(help="The duration of a position in the animation.")
    ] = SECONDS_PER_FRAME,
    svg: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a picture of every position.")
    ] = None,
    theme: Annotated[
        str, typer.Option(help=f"Theme of the pictures, one of: {', '.join(THEMES)}.")
    ] = "light",
) -> None:
    """Print a replay, or write a page, pictures or an animation.

    The printed text has the moves and the position after them.

    Example: `pocketmars replay game.json --html game.html`
    """
    with errors_of("replay", None):
        if is_open and (seat is None or page is None):
            raise ValueError("--open is for --html with --seat; without --seat the page shows all cards")
        if page is None and (browser or analysis):
            raise ValueError(f"{'--browser' if browser else '--analysis'} needs --html")
        if not LEAST_SECONDS <= seconds <= MOST_SECONDS:
            raise ValueError(f"seconds must be in {LEAST_SECONDS}..{MOST_SECONDS:g}, got {seconds:g}")
        theme_named(theme)
        paths = [path for path in (page, gif, svg) if path is not None]
        if move is not None and paths:
            raise ValueError("--move is for printing; pages and pictures have all positions")
        replay = Replay.load(file)
        check_seat(replay, seat)
        check_suffix(page, ".html")
        check_suffix(gif, ".gif")
        if page is not None:
            write_page(page, replay, seat, is_open, analysis)
        if svg is not None:
            with writing(svg):
                write_pictures(replay, seat, theme, svg)
        if gif is not None:
            with writing(gif):
                write_moving_picture(replay, seat, theme, gif, seconds)
        if not paths:
            typer.echo(printed(replay, seat, move), nl=False)
        if page is not None and browser:
            webbrowser.open(page.resolve().as_uri())


def check_suffix(path: Path | None, suffix: str) -> None:
    """Raise a ValueError if a file has another suffix; the replay itself could be replaced by mistake."""
    if path is not None and path.suffix.lower() != suffix:
        raise ValueError(f"the name of the file must end with {suffix}, got {path}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Context manager that converts an OSError into a ReplayError that names `path`."""
    try:
        yield
    except OSError as error:
        raise ReplayError(f"cannot write {path}: {error.strerror or error}") from error


def printed(replay: Replay, seat: int | None, move: int | None = None) -> str:
    """Return as text the first `move` moves (all moves if `move` is None) and the position after them.

    If all moves are included, the text also contains the line from `result_text`. The moves and the position
    show only the cards that `seat` knows, or all cards if `seat` is None.
    """
    last = len(replay.actions)
    end = last if move is None else move
    if not 0 <= end <= last:
        raise ValueError(f"move must be in 0..{last}, got {end}")
    lines = list(map(str, islice(moves_of(replay, seat), end)))
    if end == last:
        lines.append(result_text(replay.final(), seat_labels(replay.config, replay.names)))
    game = next(islice(replay.games(), end, None))
    table = presentation_of(replay.spec).text(seat_view_of(game, seat), is_coloured=is_terminal())
    return "\n".join([*lines, "", table])


def result_text(game: Game, labels: Sequence[str]) -> str:
    """Return a line with every seat's points and the winners; it also says whether the game is over."""
    winners = game.winners
    parts = [
        f"{label} {score}{' wins' if seat in winners else ''}"
        for seat, (label, score) in enumerate(zip(labels, game.scores, strict=True))
    ]
    return ("Game over: " if game.over else "The game was left here: ") + ", ".join(parts)


def write_page(path: Path, replay: Replay, seat: int | None, is_open: bool, analyst: str | None) -> None:
    """Write the HTML page of a replay; if `analyst` names a bot, the page includes the bot's analysis."""
    analysis = None
    if analyst is not None:
        progress, seats = partial(with_bar, activity="analyzing"), None if seat is None else [seat]
        analysis = analysis_of(replay, analyst_named(analyst), seats, progress=progress)
    with writing(path):
        write_whole(path, replay_page(replay, seat, is_open, analysis).encode())


def write_pictures(replay: Replay, seat: int | None, theme: str, folder: Path) -> None:
    """Write an SVG file for each position to a folder, numbered from 0; other files stay."""
    digits = len(str(len(replay.actions)))
    for number, picture in enumerate(pictures(replay, seat, theme)):
        write_whole(folder / f"{number:0{digits}}.svg", picture.svg().encode())


def pictures(replay: Replay, seat: int | None, theme: str) -> Iterator[Picture]:
    """Yield a picture of each position as `seat` sees it, or with all cards if `seat` is None."""
    presentation = presentation_of(replay.spec)
    for game in replay.games():
        yield presentation.picture(seat_view_of(game, seat), theme_named(theme))


def write_moving_picture(replay: Replay, seat: int | None, theme: str, path: Path, seconds: float) -> None:
    """Write a GIF of all positions; the last frame lasts `LAST_FRAME` times as long as any other frame."""
    times = [seconds] * len(replay.actions) + [LAST_FRAME * seconds]
    try:
        write_gif(path, map(picture_pixels, pictures(replay, seat, theme)), times)
    except ModuleNotFoundError as error:
        raise ValueError(f"--gif: {error}") from error
