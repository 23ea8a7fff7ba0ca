"""A replay as a single self-contained HTML page.

The page shows each position as a picture, which consists of panels. Consecutive pictures share most of their
panels, so each panel is stored once, and a picture is stored as a list of panel numbers. The colors are CSS
variables, so the same panels work with both the light and the dark theme.
"""

import base64
import hashlib
import json
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.canvas import WIDTH, Rename
from pocketmars_env.core.svg.markup import Markup, filled
from pocketmars_env.core.svg.themes import THEMES, Theme
from pocketmars_env.replays.analysis import Analysis
from pocketmars_env.replays.analysis_section import analysis_section
from pocketmars_env.replays.file_format import Data, ReplayError
from pocketmars_env.replays.moves import moves_of, seat_labels
from pocketmars_env.replays.replay import Replay

PAGE = Path(__file__).parent / "page.html"
POLICY = "default-src 'none'; style-src {}; script-src {}; base-uri 'none'; form-action 'none'"
"""The content security policy of a page, without the hashes of its style sheet and its script."""
COLOURS = tuple(field.name for field in fields(Theme))
VARIABLES = Theme(*(f"var(--{name})" for name in COLOURS))
"""A theme whose colors are CSS variables; the page defines the variables."""


def replay_page(
    replay: Replay,
    viewpoint: int | None = None,
    is_open: bool = False,
    analysis: Analysis | None = None,
    rename: Rename = str,
) -> str:
    """Return a replay as an HTML page with descriptions of all actions and a slider over all positions."""
    check_seat(replay, viewpoint)
    if analysis is not None:
        analysis.check(None if is_open else viewpoint)
    if viewpoint is None:
        viewpoints: list[int | None] = [None, *range(replay.config.seats)]
    else:
        viewpoints = [viewpoint, None] if is_open else [viewpoint]
    data = page_data(replay, viewpoints, rename)
    packed = base64.b64encode(zlib.compress(json.dumps(data).encode(), 9))
    template, style, script = (
        PAGE.with_suffix(suffix).read_text(encoding="utf-8") for suffix in (".html", ".css", ".js")
    )
    style = filled(style, **{name: Markup(css_variables(THEMES[name])) for name in ("light", "dark")})
    return filled(
        template,
        policy=Markup(POLICY.format(hash_source(style), hash_source(script))),
        title=f"{replay.spec.title}: {page_title(replay)}",
        style=style,
        script=Markup(script),
        data=packed.decode(),
        analysis="" if analysis is None else analysis_section(replay, analysis, rename),
    )


def hash_source(content: str) -> str:
    """Return the source that allows an inline script or style sheet in a content security policy."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}'"


def check_seat(replay: Replay, viewpoint: int | None) -> None:
    """Raise a ReplayError unless `viewpoint` is None or a seat of the game."""
    seats = replay.config.seats
    if viewpoint is not None and (type(viewpoint) is not int or not 0 <= viewpoint < seats):
        raise ReplayError(f"the seat must be in 0..{seats - 1}, got {quoted(viewpoint)}")


def page_title(replay: Replay) -> str:
    """Return the replay's title, or the players' names if the title is empty."""
    return replay.title or ", ".join(replay.names)


def css_variables(theme: Theme) -> str:
    return " ".join(f"--{name}: {getattr(theme, name)};" for name in COLOURS)


def page_data(replay: Replay, viewpoints: list[int | None], rename: Rename = str) -> Data:
    """Return the data for the page's script."""
    panels: dict[str, int] = {}
    return {
        "title": page_title(replay),
        "seats": [rename(label) for label in seat_labels(replay.config, replay.names)],
        "width": WIDTH,
        "views": [view_data(replay, viewpoint, panels, rename) for viewpoint in viewpoints],
        "panels": list(panels),
    }


def view_data(replay: Replay, viewpoint: int | None, panels: dict[str, int], rename: Rename) -> Data:
    """Return the name, frames and moves of one view, and add its new panels with their numbers to `panels`.

    A frame contains a picture's height, a headline, and the numbers of the picture's panels. A move contains
    the round, the label of the seat, and a description.
    """
    presentation, frames = presentation_of(replay.spec), list[list[Any]]()
    for game in replay.games():
        seat_view = seat_view_of(game, viewpoint)
        picture = presentation.picture(seat_view, VARIABLES)
        elements = [panel.svg(rename) for panel in picture.panels]
        numbers = [panels.setdefault(svg, len(panels)) for svg in elements]
        frames.append([picture.height, rename(presentation.headline(seat_view)), *numbers])
    seats = replay.config.seat_names
    name = "all cards" if viewpoint is None else f"as {seats[viewpoint]} sees it"
    moves = []
    for move in moves_of(replay, viewpoint):
        label, words = rename(move.label), rename("\n".join([f"{move.label}: {move.words}", *move.notes]))
        moves.append([move.round, label, words.removeprefix(f"{label}: ")])
    return {"name": rename(name), "frames": frames, "moves": moves}
