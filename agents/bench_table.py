"""What the benchmark prints: one row for each bot and level."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table

from agents.results import GameResult
from agents.statistics import Interval, bootstrap_interval, mean, wilson_interval

COLUMNS = (
    "bot", "DA level", "games", "wins", "win rate [95 %]", "mean margin [95 %]", "decisions/s",
)  # fmt: skip
TEXT_COLUMNS = 2
"""The first columns, which hold texts and stand to the left; the others hold numbers."""


@dataclass(frozen=True)
class Row:
    """A bot's results at one level; see `GameResult`."""

    agent: str
    level: str
    games: int
    wins: int
    margin: float
    margin_interval: Interval
    decisions_per_second: float

    @classmethod
    def of(cls, results: Sequence[GameResult]) -> "Row":
        """The row of all games of a bot at a level."""
        margins = [result.margin for result in results]
        seconds = sum(result.seconds for result in results)
        decisions = sum(result.decisions for result in results)
        return cls(
            agent=results[0].agent,
            level=results[0].level,
            games=len(results),
            wins=sum(result.won for result in results),
            margin=mean(margins),
            margin_interval=bootstrap_interval(margins),
            decisions_per_second=decisions / seconds if seconds else math.nan,
        )

    def cells(self) -> tuple[str, ...]:
        """The texts under `COLUMNS`."""
        low, high = (100 * bound for bound in wilson_interval(self.wins, self.games))
        worst, best = self.margin_interval
        return (
            self.agent,
            self.level,
            f"{self.games:,}",
            f"{self.wins:,}",
            f"{100 * self.wins / self.games:.1f} % [{low:.1f}, {high:.1f}]",
            f"{self.margin:+.2f} [{worst:+.2f}, {best:+.2f}]",
            f"{self.decisions_per_second:,.0f}",
        )


def rows_of(results: Iterable[GameResult]) -> list[Row]:
    """A row for each bot and level, in the order of their first games."""
    groups: dict[tuple[str, str], list[GameResult]] = {}
    for result in results:
        groups.setdefault((result.agent, result.level), []).append(result)
    return [Row.of(group) for group in groups.values()]


def footnotes(results: Iterable[GameResult]) -> list[str]:
    """A sentence for each bot that lost games by failing."""
    failures: dict[str, list[GameResult]] = {}
    for result in results:
        if result.error is not None:
            failures.setdefault(result.agent, []).append(result)
    return [
        f"{agent} failed in {len(failed)} games, which count as lost; "
        f"the first: {failed[0].level}, deal {failed[0].deal}: {failed[0].error}"
        for agent, failed in failures.items()
    ]


def rich_table(rows: Iterable[Row]) -> Table:
    """The table for a terminal."""
    table = Table(box=box.SIMPLE)
    for number, column in enumerate(COLUMNS):
        table.add_column(column, justify="left" if number < TEXT_COLUMNS else "right", no_wrap=True)
    for row in rows:
        table.add_row(*row.cells())
    return table


def markdown_table(rows: Iterable[Row]) -> str:
    """The table as Markdown."""
    rules = ["---" if number < TEXT_COLUMNS else "---:" for number in range(len(COLUMNS))]
    lines = [COLUMNS, rules, *(row.cells() for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
