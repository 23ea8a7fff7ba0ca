"""The curve of an analysis as SVG, with one line for each seat whose decisions are evaluated.

Each line connects the values of the best actions at the decisions of one seat. All lengths and coordinates
are in SVG user units; the page scales the curve to the available width.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pocketmars_env.core.svg.canvas import Box, number
from pocketmars_env.replays.analysis import Analysis, JudgedMove

FONT_SIZE = 12
MARGIN = Box(48, 30, 16, 44)
"""The margins around the plot area: left, top, right and bottom."""
LINES = (
    'stroke="var(--highlight)" stroke-width="2"',
    'stroke="var(--ink)" stroke-width="2" stroke-dasharray="7 4"',
    'stroke="var(--faint)" stroke-width="2" stroke-dasharray="2 3"',
    'stroke="var(--ink)" stroke-width="1"',
)
"""The line styles for up to four seats; they can be distinguished without color."""
SHARES = (0, 25, 50, 75, 100)
MOST_TICKS = 8
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10000)


@dataclass(frozen=True)
class Axes:
    """The coordinate system of the curve.

    Attributes:
        area: the plot area.
        moves: the number of moves in the game; the horizontal axis ranges from 0 to this number.

    """

    area: Box
    moves: int

    @property
    def step(self) -> float:
        """The horizontal distance between consecutive moves."""
        return self.area.width / max(1, self.moves)

    def x(self, place: int) -> float:
        return self.area.x + place * self.step

    def y(self, value: float) -> float:
        return self.area.bottom - value * self.area.height


def curve_svg(
    analysis: Analysis, moves: int, labels: Sequence[str], name: str, width: int, height: int
) -> str:
    """Return the curve as an SVG element.

    Args:
        moves: the number of moves in the game.
        labels: the label of each seat.
        name: a prefix for element ids, unique on the page; it is also a CSS class of the element.
        width: the width of the ``viewBox``.
        height: the height of the ``viewBox``.

    """
    area = Box(MARGIN.x, MARGIN.y, width - MARGIN.x - MARGIN.width, height - MARGIN.y - MARGIN.height)
    axes = Axes(area, moves)
    bottom = number(area.bottom)
    return "".join([
        f'<svg class="curve {name}" viewBox="0 0 {width} {height}" role="img" font-size="{FONT_SIZE}" '
        f'aria-labelledby="{name}-title {name}-text" data-left="{number(area.x)}" '
        f'data-step="{axes.step:.4f}">'
        f'<title id="{name}-title">{html.escape(title_of(analysis))}</title>'
        f'<desc id="{name}-text">{html.escape(described(analysis, labels))}</desc>',
        *axes_elements(axes, analysis.kind),
        f'<path class="cursor" d="M0 {number(area.y)}V{bottom}" stroke="var(--ink)" '
        f'transform="translate({number(area.x)} 0)"/>',
        *(line_of(axes, analysis, seat, style) for seat, style in zip(analysis.seats, LINES, strict=False)),
        *(mark(axes, move, rank) for rank, move in enumerate(analysis.most_costly(), start=1)),
        "</svg>",
    ])  # fmt: skip


def title_of(analysis: Analysis) -> str:
    """Return the title of the curve."""
    return f"{analysis.kind.capitalize()} before each decision"


def described(analysis: Analysis, labels: Sequence[str]) -> str:
    """Return a text description of the curve for screen readers."""
    parts = []
    for seat in analysis.seats:
        own = [move for move in analysis.moves if move.seat == seat]
        lowest, highest = (chosen(own, key=lambda move: move.best_value) for chosen in (min, max))
        parts.append(
            f"{labels[seat]}: {percent(own[0].best_value)} at first, lowest {percent(lowest.best_value)} "
            f"before move {lowest.number}, highest {percent(highest.best_value)} before move "
            f"{highest.number}, {percent(own[-1].best_value)} at the last decision."
        )
    return " ".join(parts)


def percent(value: float) -> str:
    """Format a value as a whole percentage, with a no-break space before the percent sign."""
    return f"{100 * value:.0f}\N{NO-BREAK SPACE}%"


def axes_elements(axes: Axes, kind: str) -> Iterator[str]:
    """Yield the grid lines, the tick labels and the titles of both axes as SVG elements."""
    area = axes.area
    for share in SHARES:
        y = axes.y(share / 100)
        yield (
            f'<path d="M{number(area.x)} {number(y)}H{number(area.right)}" stroke="var(--line)"/>'
            f'<text x="{number(area.x - 6)}" y="{number(y + 4)}" text-anchor="end" fill="var(--faint)">'
            f"{share}</text>"
        )
    for place in ticks(axes.moves):
        yield (
            f'<text x="{number(axes.x(place))}" y="{number(area.bottom + 17)}" text-anchor="middle" '
            f'fill="var(--faint)">{place}</text>'
        )
    yield f'<text x="4" y="16" fill="var(--ink)">{html.escape(kind.capitalize())} (%)</text>'
    yield (
        f'<text x="{number(area.right)}" y="{number(area.bottom + 37)}" text-anchor="end" '
        'fill="var(--ink)">Moves played</text>'
    )


def ticks(moves: int) -> range:
    """Return the move numbers that are labeled on the horizontal axis."""
    step = next((step for step in STEPS if moves / step <= MOST_TICKS), STEPS[-1])
    return range(0, moves + 1, step)


def line_of(axes: Axes, analysis: Analysis, seat: int, style: str) -> str:
    """Return the SVG line that connects the values of the best actions at a seat's decisions."""
    points = " ".join(
        f"{number(axes.x(move.place))},{number(axes.y(move.best_value))}"
        for move in analysis.moves
        if move.seat == seat
    )
    return f'<polyline points="{points}" fill="none" stroke-linejoin="round" {style}/>'


def mark(axes: Axes, move: JudgedMove, rank: int) -> str:
    """Return an SVG circle with the rank of a costly decision, at the decision's point on the line."""
    x, y = number(axes.x(move.place)), axes.y(move.best_value)
    return (
        f'<circle cx="{x}" cy="{number(y)}" r="8" fill="var(--ink)"/>'
        f'<text x="{x}" y="{number(y + 4)}" text-anchor="middle" font-weight="600" fill="var(--panel)">'
        f"{rank}</text>"
    )


def key_svg(place: int) -> str:
    """Return a short line in the style ``LINES[place]`` as an SVG element, for the key below the curve."""
    return (
        f'<svg width="34" height="10" aria-hidden="true"><path d="M0 5H34" fill="none" {LINES[place]}/></svg>'
    )
