"""Tables of results, printed in the terminal or as Markdown."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace

import typer
from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import Interval
from pocketmars_agents.usage import Usage
from pocketmars_env.core.errors import one_line

PLAIN_WIDTH = 120
"""Minimum console width, in characters, if stdout is not a terminal."""
ANY_WIDTH = 10_000
"""Console width that is larger than the width of any table."""
GAP = 3
"""The distance between two columns in the terminal."""
USAGE_COLUMNS = ("calls", "tokens in", "tokens out", "illegal")

Seats = Sequence[tuple[GameResult, int]]
"""Seats in games, as pairs of a game's result and a seat number."""


@dataclass(frozen=True)
class TextTable:
    """A table of text cells, with notes below it."""

    columns: tuple[str, ...]  # the column headers
    text_columns: int  # the number of leading, left-aligned columns; the other columns are right-aligned
    rows: tuple[tuple[str, ...], ...]  # the rows of cells, each as long as `columns`
    notes: tuple[str, ...] = ()  # paragraphs that are printed below the table

    def markdown(self) -> str:
        """Return the table and its notes as Markdown."""
        rules = ["---" if i < self.text_columns else "---:" for i in range(len(self.columns))]
        cells = [[cell.replace("|", r"\|") for cell in row] for row in (self.columns, rules, *self.rows)]
        lines = [f"| {' | '.join(row)} |" for row in cells]
        return "\n\n".join(["\n".join(lines), *self.notes])

    def rich(self) -> RichTable:
        """Return the table, without its notes, as a Rich table for the terminal."""
        table = RichTable(box=box.SIMPLE)
        for i, column in enumerate(self.columns):
            table.add_column(column, justify="left" if i < self.text_columns else "right", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table

    def narrow(self, width: int) -> Iterator[RichTable]:
        """Yield Rich tables for a terminal of this width, each with the text columns and some others."""
        widths = [
            max(map(len, (*self.columns[i].split(), *(row[i] for row in self.rows))))
            for i in range(len(self.columns))
        ]
        text, parts = [*range(self.text_columns)], list[list[int]]()
        for group in self._groups():
            if parts and sum(widths[i] + GAP for i in (*parts[-1], *group)) - GAP <= width:
                parts[-1] += group
            else:
                parts.append(text + group)
        for part in parts:
            table = RichTable(box=box.SIMPLE, show_edge=False, pad_edge=False)
            for i in part:
                heading = self.columns[i].replace(" [", "\n[")
                if i < self.text_columns:
                    table.add_column(heading, overflow="fold")
                else:
                    table.add_column(heading, justify="right", width=widths[i])
            for row in self.rows:
                table.add_row(*(row[i] for i in part))
            yield table

    def _groups(self) -> list[list[int]]:
        """Return the columns after the text columns, in groups that stay together.

        A column whose header occurs more than once belongs to the column before it.
        """
        groups: list[list[int]] = []
        for i in range(self.text_columns, len(self.columns)):
            if groups and self.columns.count(self.columns[i]) > 1:
                groups[-1].append(i)
            else:
                groups.append([i])
        return groups


def is_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def plain_console(width: int | None = None) -> Console:
    """Return a console that prints text literally, without interpreting markup or emoji codes."""
    return Console(width=width, markup=False, emoji=False)


def show(text_table: TextTable, is_markdown: bool) -> None:
    """Print a table and its notes."""
    if is_markdown:
        typer.echo(text_table.markdown())
        return
    lines = text_table.rich()
    width = plain_console(ANY_WIDTH).measure(lines).maximum
    console = plain_console(None if is_terminal() else max(PLAIN_WIDTH, width))
    if width <= console.width:
        console.print(lines)
    else:
        for piece in text_table.narrow(console.width):
            console.print("", piece)
    for note in text_table.notes:
        show_text(f"\n{note}")


def show_text(text: str) -> None:
    """Print a text, in lines that fit in the terminal."""
    plain_console().print(text, highlight=False, soft_wrap=not is_terminal())


# --- cells ------------------------------------------------------------------------------------------


def percent(rate: float, interval: Interval) -> str:
    """Format a rate and its interval, e.g. "78.8 % [77.6, 79.9]"."""
    low, high = interval
    return f"{100 * rate:.1f} %{bounds(f'{100 * low:.1f}', f'{100 * high:.1f}')}"


def signed(value: float, interval: Interval, digits: int = 2) -> str:
    """Format a difference and its interval, e.g. "+2.83 [+2.73, +2.93]"."""
    low, high = interval
    return f"{value:+.{digits}f}{bounds(f'{low:+.{digits}f}', f'{high:+.{digits}f}')}"


def bounds(low: str, high: str) -> str:
    """Format an interval, e.g. " [77.6, 79.9]"; return "" if the bounds are NaN (too few games)."""
    return "" if low.endswith("nan") else f" [{low}, {high}]"


def milliseconds(seconds: float, decisions: int) -> str:
    """Format the mean time per decision in milliseconds; return "-" if there were no decisions."""
    return f"{1000 * seconds / decisions:.3g}" if decisions else "-"


def time_of(seats: Seats) -> str:
    """Format the seats' mean time per decision in milliseconds; return "-" if there were no decisions."""
    seconds = sum(result.seconds[seat] for result, seat in seats)
    return milliseconds(seconds, sum(result.decisions[seat] for result, seat in seats))


def seats_of(bot: str, results: Iterable[GameResult]) -> Seats:
    """Return all seats that a bot played in the games."""
    return [
        (result, seat)
        for result in results
        for seat in range(len(result.match.bots))
        if result.match.bot_at(seat) == bot
    ]


def with_usage(text_table: TextTable, rows: Sequence[Seats]) -> TextTable:
    """Return the table with the `USAGE_COLUMNS` added, or the same table if no language model was called.

    ``rows[i]`` contains the seats that row `i` of the table summarizes.
    """
    totals = [
        sum((Usage(*result.usage[seat]) for result, seat in row if result.usage), Usage()) for row in rows
    ]
    if not any(total.calls for total in totals):
        return text_table
    cells = [row + usage_cells(total) for row, total in zip(text_table.rows, totals, strict=True)]
    return replace(text_table, columns=text_table.columns + USAGE_COLUMNS, rows=tuple(cells))


def usage_cells(usage: Usage) -> tuple[str, ...]:
    """Return the cells for the `USAGE_COLUMNS`; all cells are dashes if no language model was called."""
    return tuple(f"{count:,}" if usage.calls else "-" for count in astuple(usage))


def failure_notes(results: Iterable[GameResult]) -> tuple[str, ...]:
    """Return one note for each bot that failed."""
    failed: dict[str, list[GameResult]] = {}
    for result in results:
        if result.failure is not None:
            failed.setdefault(result.match.bot_at(result.failure.seat), []).append(result)
    return tuple(failure_note(bot, results) for bot, results in failed.items())


def failure_note(bot: str, results: list[GameResult]) -> str:
    first = results[0]
    assert first.failure is not None
    where = f"seed {first.match.seed}, seat {first.failure.seat}"
    return (
        f"{bot} failed in {len(results)} games, which count as losses; their scores are those at the "
        f"failure. First failure: {where}: {one_line(first.failure.reason)}"
    )
