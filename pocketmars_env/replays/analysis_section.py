"""The analysis section of a replay page: a curve, the most costly decisions, and a table of the decisions.

The section includes only the decisions that a bot has evaluated; see `Analysis`. The curve shows the value of
the best action at each of these decisions; see `curve.py`.
"""

from collections.abc import Iterator, Sequence

from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.presenting import presentation_of, seat_view_of
from pocketmars_env.core.svg.canvas import Rename
from pocketmars_env.core.svg.markup import Markup, element
from pocketmars_env.replays.analysis import Analysis, JudgedMove
from pocketmars_env.replays.curve import curve_svg, key_svg, percent, title_of
from pocketmars_env.replays.moves import seat_labels
from pocketmars_env.replays.replay import Replay

SIZES = {"wide": (1000, 260), "narrow": (360, 240)}
"""The width and height of each version of the curve, in SVG user units.

The page shows the narrow version in narrow windows.
"""


def analysis_section(replay: Replay, analysis: Analysis, rename: Rename) -> Markup:
    """Return the analysis section as HTML; actions are described as the acting seat sees them."""
    labels = [rename(label) for label in seat_labels(replay.config, replay.names)]
    positions = list(replay.games())
    heading = element("h2", f"Analysis by {analysis.by}", id="analysis-title")
    if not analysis.moves:
        body = [element("p", "There was no decision to judge.")]
    else:
        body = [
            figure(analysis, len(replay.actions), labels),
            *costly(analysis, positions, labels, rename),
            decisions_table(analysis, positions, labels, rename),
        ]
    return element("section", heading, *body, id="analysis", aria_labelledby="analysis-title")


def figure(analysis: Analysis, moves: int, labels: Sequence[str]) -> Markup:
    """Return an HTML figure with both versions of the curve and a key to the line styles of the seats."""
    curves = (curve_svg(analysis, moves, labels, name, *size) for name, size in SIZES.items())
    keys = (element("span", key_svg(index), f" {labels[seat]}") for index, seat in enumerate(analysis.seats))
    note = f"{title_of(analysis)}, estimated from what the seat knew. Numbers mark the most costly decisions."
    return element("figure", *curves, element("figcaption", *keys, element("span", note, class_="faint")))


def costly(
    analysis: Analysis, positions: Sequence[Game], labels: Sequence[str], rename: Rename
) -> Iterator[Markup]:
    """Yield HTML for the most costly decisions, each with a button that shows the position before it."""
    yield element("h3", "The most costly decisions", id="costly-title")
    moves = analysis.most_costly()
    if not moves:
        yield element("p", "No decision lost half a percentage point or more.")
        return
    items = []
    for move in moves:
        played, best = (rename(words(positions, move, action)) for action in (move.played, move.best))
        values = f"{percent(move.best_value)} → {percent(move.value)}"
        button = f"Show the position before move {move.number}"
        items.append(
            element(
                "li",
                element("b", labels[move.seat]),
                f" played “{played}”; “{best}” was better: {values}, ",
                element("b", f"{points(move)} percentage points lost"),
                ". ",
                element("button", button, type="button", data_place=move.index),
            )
        )
    yield element("ol", *items, id="costly", aria_labelledby="costly-title")


def decisions_table(
    analysis: Analysis, positions: Sequence[Game], labels: Sequence[str], rename: Rename
) -> Markup:
    """Return an HTML table of all evaluated decisions, which is the text alternative to the curve."""
    columns = ("Move", "Seat", "Played", "Best", f"{analysis.kind.capitalize()} (%)", "Lost (points)")
    head = element("tr", *(element("th", column, scope="col") for column in columns))
    rows = []
    for move in analysis.moves:
        best = rename(words(positions, move, move.best)) if move.best != move.played else "the same"
        cells = (
            labels[move.seat],
            rename(words(positions, move, move.played)),
            best,
            f"{100 * move.best_value:.0f}",
            points(move),
        )
        number = element("th", str(move.number), scope="row")
        rows.append(element("tr", number, *(element("td", cell) for cell in cells)))
    html_table = element("table", element("thead", head), element("tbody", *rows))
    scrolled = element(
        "div", html_table, class_="scrolled", tabindex=0, role="region", aria_label="All decisions"
    )
    return element("details", element("summary", "All decisions as a table"), scrolled)


def words(positions: Sequence[Game], move: JudgedMove, action: int) -> str:
    """Describe an action as seen by the seat that made the decision `move`."""
    game = positions[move.index]
    return presentation_of(game.spec).action_text(seat_view_of(game, move.seat), action)


def points(move: JudgedMove) -> str:
    """Return the loss of a decision in percentage points, with one decimal."""
    return f"{100 * move.loss:.1f}"
