"""The analysis section of a replay page: a curve, the most costly decisions, and a table of the decisions.

The section includes only the decisions that a bot has evaluated; see `Analysis`. The curve shows the value of
the best action at each of these decisions; see `curve.py`.
"""

import html
from collections.abc import Callable, Iterator, Sequence

from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.interface import presentation_of, seat_view_of
from pocketmars_env.replays.analysis import Analysis, JudgedMove
from pocketmars_env.replays.curve import curve_svg, key_svg, percent, title_of
from pocketmars_env.replays.moves import seat_labels
from pocketmars_env.replays.replay import Replay

SIZES = {"wide": (1000, 260), "narrow": (360, 240)}
"""The width and height of each version of the curve, in SVG user units.

The page shows the narrow version in narrow windows.
"""


Rename = Callable[[str], str]
"""A function that replaces the names of seats in a text with the names of players."""


def analysis_section(replay: Replay, analysis: Analysis, rename: Rename = str) -> str:
    """Return the analysis section as HTML; actions are described as the acting seat sees them.

    Args:
        analysis: an analysis of the replay, already checked with `Analysis.check`.
        rename: a function that replaces the names of seats in a text; by default, they stay unchanged.

    """
    labels = [rename(label) for label in seat_labels(replay.config, replay.names)]
    games = list(replay.games())
    heading = f'<h2 id="analysis-title">Analysis by {html.escape(analysis.by)}</h2>'
    if not analysis.moves:
        body = "<p>There was no decision to judge.</p>"
    else:
        lists = (*costly(analysis, games, labels, rename), *table(analysis, games, labels, rename))
        body = figure(analysis, len(replay.actions), labels) + "".join(lists)
    return f'<section id="analysis" aria-labelledby="analysis-title">{heading}{body}</section>'


def figure(analysis: Analysis, moves: int, labels: Sequence[str]) -> str:
    """Return an HTML figure with both versions of the curve and a key to the line styles of the seats."""
    curves = (curve_svg(analysis, moves, labels, name, *size) for name, size in SIZES.items())
    keys = (
        f"<span>{key_svg(place)} {html.escape(labels[seat])}</span>"
        for place, seat in enumerate(analysis.seats)
    )
    note = f"{title_of(analysis)}, estimated from what the seat knew. Numbers mark the most costly decisions."
    return (
        f"<figure>{''.join(curves)}<figcaption>{' '.join(keys)}"
        f'<span class="faint">{html.escape(note)}</span></figcaption></figure>'
    )


def costly(analysis: Analysis, games: Sequence[Game], labels: Sequence[str], rename: Rename) -> Iterator[str]:
    """Yield HTML for the most costly decisions, each with a button that shows the position before it."""
    yield '<h3 id="costly-title">The most costly decisions</h3>'
    moves = analysis.most_costly()
    if not moves:
        yield "<p>No decision lost half a percentage point or more.</p>"
        return
    yield '<ol id="costly" aria-labelledby="costly-title">'
    for move in moves:
        played, best = (rename(words(games, move, action)) for action in (move.played, move.best))
        yield (
            f"<li><b>{html.escape(labels[move.seat])}</b> played “{html.escape(played)}”; "
            f"“{html.escape(best)}” was better: {percent(move.best_value)} → {percent(move.value)}, "
            f"<b>{points(move)} percentage points lost</b>. "
            f'<button type="button" data-place="{move.place}">Show the position before move '
            f"{move.number}</button></li>"
        )
    yield "</ol>"


def table(analysis: Analysis, games: Sequence[Game], labels: Sequence[str], rename: Rename) -> Iterator[str]:
    """Yield HTML for a table of all evaluated decisions, which is the text alternative to the curve."""
    yield '<details><summary>All decisions as a table</summary><div class="scrolled" tabindex="0" '
    yield 'role="region" aria-label="All decisions"><table><thead><tr>'
    for column in ("Move", "Seat", "Played", "Best", f"{analysis.kind.capitalize()} (%)", "Lost (points)"):
        yield f'<th scope="col">{html.escape(column)}</th>'
    yield "</tr></thead><tbody>"
    for move in analysis.moves:
        best = rename(words(games, move, move.best)) if move.best != move.played else "the same"
        cells = (
            labels[move.seat],
            rename(words(games, move, move.played)),
            best,
            f"{100 * move.best_value:.0f}",
            points(move),
        )
        row = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        yield f'<tr><th scope="row">{move.number}</th>{row}</tr>'
    yield "</tbody></table></div></details>"


def words(games: Sequence[Game], move: JudgedMove, action: int) -> str:
    """Describe an action as seen by the seat that made the decision `move`."""
    game = games[move.place]
    return presentation_of(game.spec).action_text(seat_view_of(game, move.seat), action)


def points(move: JudgedMove) -> str:
    """Return the loss of a decision in percentage points, with one decimal."""
    return f"{100 * move.loss:.1f}"
