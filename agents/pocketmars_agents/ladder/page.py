"""The tables of the ladder, and its page with the trend as a picture."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from html import escape
from pathlib import Path

from pocketmars_agents.arena.text_table import TextTable, milliseconds
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.ranking import Ranking, ranking
from pocketmars_agents.ladder.rows import Cell, Row, all_divisions, read_rows

COLUMNS = ("#", "entry", "author", "rating [95 %]", "≈", "games", "CPU ms/decision", "date")
TEXT_COLUMNS = 3
WIDTH, HEIGHT, LEFT, BOTTOM, RIGHT = 700, 240, 56, 28, 150
"""Sizes in the picture of the trend, in SVG user units."""


def tables(division: Division, rows: Sequence[Row], ranks: Ranking) -> tuple[TextTable, TextTable]:
    """Return the table of ratings and the cross-play matrix of a division."""
    by_name = {row.name: row for row in rows}
    ranked = [name for name in ranks.ratings if name in by_name or name in division.bots]
    lines = [
        (str(number), *line_of(name, by_name.get(name), ranks, ranked, rows))
        for number, name in enumerate(ranked, start=1)
    ]
    note = (
        "A lead of 400 points means odds of 10 to 1. The column ≈ has the numbers of the entries that cannot "
        "be told apart from this one: the 95 % interval of the difference contains 0."
    )
    return TextTable(COLUMNS, TEXT_COLUMNS, tuple(lines), (note,)), matrix(division, rows, ranks)


def line_of(
    name: str, row: Row | None, ranks: Ranking, ranked: Sequence[str], rows: Sequence[Row]
) -> tuple[str, ...]:
    """Return the line of a bot in the table of ratings, without its number."""
    own = [(cell, 0) for cell in row.cells] if row else []
    cells = own + [(cell, 1) for other in rows for cell in other.cells if cell.opponent == name]
    low, high = ranks.interval(name)
    equal = [other != name and ranks.are_equal(name, other) for other in ranked]
    return (
        name,
        row.author if row else "",
        f"{ranks.ratings[name]:,.0f} [{low:,.0f}, {high:,.0f}]",
        ", ".join(str(number) for number, is_equal in enumerate(equal, start=1) if is_equal),
        f"{sum(cell.games for cell, _ in cells):,}",
        milliseconds(sum(cell.seconds[i] for cell, i in cells), sum(cell.decisions[i] for cell, i in cells)),
        row.date if row else "",
    )


def matrix(division: Division, rows: Sequence[Row], ranks: Ranking) -> TextTable:
    """Return the cross-play matrix: the win rates of the entries' seats against each opponent."""
    cells = {(row.name, cell.opponent): cell for row in rows for cell in row.cells}
    entries, opponents = ([name for name in ranks.ratings if name in side] for side in zip(*cells))
    if division.is_alone:
        opponents = [name for name in division.opponents if name in opponents]
    fair = 1 / division.sides

    def text(cell: Cell | None) -> str:
        if cell is None:
            return ""
        low, high = cell.interval
        return f"{100 * (cell.wins / cell.games):.1f} %{' ≈' if low <= fair <= high else ''}"

    lines = [(name, *(text(cells.get((name, opponent))) for opponent in opponents)) for name in entries]
    note = (
        "Win rates of one seat of the entry in the row; the opponent in the column has all other seats. "
        f"≈ marks pairs that cannot be told apart: the 95 % interval contains {100 * fair:.0f} %."
    )
    return TextTable(("entry", *opponents), 1, tuple(lines), (note,))


# --- the page -------------------------------------------------------------------------------------


def page(folder: Path) -> str:
    """Return the rankings of all divisions as Markdown."""
    return "\n\n".join(part for division in all_divisions().values() for part in section(division, folder))


def section(division: Division, folder: Path) -> Iterator[str]:
    rows = [row for row in read_rows(folder, division) if row.cells]
    yield f"## {division.title}"
    if not rows:
        yield "There are no results yet."
        return
    ranks = ranking(division, rows)
    ratings, crosses = tables(division, rows, ranks)
    yield replace(ratings, notes=()).markdown()
    yield trend(ranks, rows, f"Ratings by date of submission: {division.title}")
    yield replace(crosses, notes=()).markdown()


def trend(ranks: Ranking, rows: Sequence[Row], title: str) -> str:
    """Return a picture of the ratings by date, with a line for the best rating up to each date, as SVG."""
    points = sorted(
        (date.fromisoformat(row.date).toordinal(), ranks.ratings[row.name], row.name) for row in rows
    )
    first, last = points[0][0], max(points[-1][0], points[0][0] + 1)
    ratings = [rating for _, rating, _ in points]
    low, high = min(ratings) - 20, max(ratings) + 20

    def x(day: int) -> float:
        return round(LEFT + 10 + (WIDTH - LEFT - RIGHT - 20) * (day - first) / (last - first), 1)

    def y(rating: float) -> float:
        return round((HEIGHT - BOTTOM) - (HEIGHT - BOTTOM - 10) * (rating - low) / (high - low), 1)

    best, path, parts = -1e9, "", []
    for day, rating, _ in points:
        if rating > best:
            path += f"{'L' if path else 'M'}{x(day)} {y(best if path else rating)}L{x(day)} {y(rating)}"
            best = rating
    path += f"L{WIDTH - RIGHT} {y(best)}"
    parts.append(f'<path d="{path}" fill="none" stroke="currentColor" stroke-dasharray="4 3"/>')
    previous = 0.0
    for day, rating, name in sorted(points, key=lambda point: -point[1]):
        text = max(y(rating) - 4, previous + 12)  # above the line for the best rating
        previous = text
        parts.append(f'<circle cx="{x(day)}" cy="{y(rating)}" r="4" fill="currentColor"/>')
        parts.append(f'<text x="{x(day) + 8}" y="{text}">{escape(name)}</text>')
    for rating in (low, high):
        parts.append(f'<text x="0" y="{y(rating) + 4}">{rating:,.0f}</text>')
    for day in {first, points[-1][0]}:
        parts.append(f'<text x="{x(day)}" y="{HEIGHT - 6}">{date.fromordinal(day)}</text>')
    axes = f"M{LEFT} 10V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"
    parts.append(f'<path d="{axes}" fill="none" stroke="currentColor"/>')
    return (
        f'<svg role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" font-size="11" fill="currentColor">'
        f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
    )
