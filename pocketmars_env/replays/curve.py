"""The curve of an analysis as SVG, with one line for each seat whose decisions are evaluated.

Each line connects the values of the best actions at the decisions of one seat. All lengths and coordinates
are in SVG user units; the page scales the curve to the available width.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pocketmars_env.core.svg.canvas import Box, number
from pocketmars_env.core.svg.markup import Markup, element
from pocketmars_env.replays.analysis import Analysis, JudgedMove

FONT_SIZE = 12
MARGIN = Box(48, 30, 16, 44)
"""The margins around the plot area: left, top, right and bottom."""
LINES: tuple[dict[str, str], ...] = (
    {"stroke": "var(--highlight)", "stroke-width": "2"},
    {"stroke": "var(--ink)", "stroke-width": "2", "stroke-dasharray": "7 4"},
    {"stroke": "var(--faint)", "stroke-width": "2", "stroke-dasharray": "2 3"},
    {"stroke": "var(--ink)", "stroke-width": "1"},
)
"""The line styles for up to four seats; they can be distinguished without color."""
SHARES = (0, 25, 50, 75, 100)
MOST_TICKS = 8
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


@dataclass(frozen=True)
class Axes:
    """The coordinate system of the curve; the horizontal axis ranges from 0 to the number of moves."""

    area: Box
    moves: int

    @property
    def step(self) -> float:
        """The horizontal distance between consecutive moves."""
        return self.area.width / max(1, self.moves)

    def x(self, moves: int) -> float:
        return self.area.x + moves * self.step

    def y(self, value: float) -> float:
        return self.area.bottom - value * self.area.height


def curve_svg(
    analysis: Analysis, moves: int, labels: Sequence[str], name: str, width: int, height: int
) -> Markup:
    """Return the curve as an SVG element."""
    area = Box(MARGIN.x, MARGIN.y, width - MARGIN.x - MARGIN.width, height - MARGIN.y - MARGIN.height)
    axes = Axes(area, moves)
    cursor = element(
        "path",
        class_="cursor",
        d=f"M0 {number(area.y)}V{number(area.bottom)}",
        stroke="var(--ink)",
        transform=f"translate({number(area.x)} 0)",
    )
    return element(
        "svg",
        element("title", title_of(analysis), id=f"{name}-title"),
        element("desc", described(analysis, labels), id=f"{name}-text"),
        *axes_elements(axes, analysis.kind),
        cursor,
        *(line_of(axes, analysis, seat, style) for seat, style in zip(analysis.seats, LINES, strict=False)),
        *(
            part
            for rank, move in enumerate(analysis.most_costly(), start=1)
            for part in mark(axes, move, rank)
        ),
        class_=f"curve {name}",
        viewBox=f"0 0 {width} {height}",
        role="img",
        font_size=FONT_SIZE,
        aria_labelledby=f"{name}-title {name}-text",
        data_left=number(area.x),
        data_step=f"{axes.step:.4f}",
    )


def title_of(analysis: Analysis) -> str:
    """Return the title of the curve."""
    return f"{analysis.kind.capitalize()} before each decision"


def described(analysis: Analysis, labels: Sequence[str]) -> str:
    """Return a text description of the curve for screen readers."""
    parts = []
    for seat in analysis.seats:
        moves = [move for move in analysis.moves if move.seat == seat]
        lowest, highest = (extreme(moves, key=lambda move: move.best_value) for extreme in (min, max))
        parts.append(
            f"{labels[seat]}: {percent(moves[0].best_value)} at first, lowest {percent(lowest.best_value)} "
            f"before move {lowest.number}, highest {percent(highest.best_value)} before move "
            f"{highest.number}, {percent(moves[-1].best_value)} at the last decision."
        )
    return " ".join(parts)


def percent(value: float) -> str:
    """Format a value as a whole percentage, with a no-break space before the percent sign."""
    return f"{100 * value:.0f}\N{NO-BREAK SPACE}%"


def axes_elements(axes: Axes, kind: str) -> Iterator[Markup]:
    """Yield the grid lines, the tick labels and the titles of both axes as SVG elements."""
    area, faint, ink = axes.area, "var(--faint)", "var(--ink)"
    for share in SHARES:
        y = axes.y(share / 100)
        yield element("path", d=f"M{number(area.x)} {number(y)}H{number(area.right)}", stroke="var(--line)")
        yield text(area.x - 6, y + 4, str(share), text_anchor="end", fill=faint)
    for tick in ticks(axes.moves):
        yield text(axes.x(tick), area.bottom + 17, str(tick), text_anchor="middle", fill=faint)
    yield text(4, 16, f"{kind.capitalize()} (%)", fill=ink)
    yield text(area.right, area.bottom + 37, "Moves played", text_anchor="end", fill=ink)


def text(x: float, y: float, words: str, **attributes: str) -> Markup:
    return element("text", words, x=number(x), y=number(y), **attributes)


def ticks(moves: int) -> range:
    """Return the move numbers that are labeled on the horizontal axis."""
    step = next((step for step in STEPS if moves / step <= MOST_TICKS), STEPS[-1])
    return range(0, moves + 1, step)


def line_of(axes: Axes, analysis: Analysis, seat: int, style: dict[str, str]) -> Markup:
    """Return the SVG line that connects the values of the best actions at a seat's decisions."""
    points = " ".join(
        f"{number(axes.x(move.index))},{number(axes.y(move.best_value))}"
        for move in analysis.moves
        if move.seat == seat
    )
    return element("polyline", points=points, fill="none", stroke_linejoin="round", **style)


def mark(axes: Axes, move: JudgedMove, rank: int) -> Iterator[Markup]:
    """Yield an SVG circle with the rank of a costly decision, at the decision's point on the line."""
    x, y = axes.x(move.index), axes.y(move.best_value)
    yield element("circle", cx=number(x), cy=number(y), r=8, fill="var(--ink)")
    yield text(x, y + 4, str(rank), text_anchor="middle", font_weight="600", fill="var(--panel)")


def key_svg(index: int) -> Markup:
    """Return a short line in the style ``LINES[index]`` as an SVG element, for the key below the curve."""
    line = element("path", d="M0 5H34", fill="none", **LINES[index])
    return element("svg", line, width=34, height=10, aria_hidden="true")
