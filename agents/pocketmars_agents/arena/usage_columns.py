"""Columns with the usage of language models."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.text_table import TextTable
from pocketmars_agents.usage import Usage

COLUMNS = ("calls", "tokens in", "tokens out", "illegal")

Seats = Iterable[tuple[GameResult, int]]


def seats_of(bot: str, results: Iterable[GameResult]) -> Seats:
    """All seats of a bot, each with its game."""
    for result in results:
        for seat in range(result.match.config.seats_to_play):
            if result.match.bot_at(seat) == bot:
                yield result, seat


def with_usage(table: TextTable, rows: Sequence[Seats]) -> TextTable:
    """The table with columns for calls, tokens and illegal replies, if a language model played.

    Args:
        table: the table.
        rows: for each row the seats that it is about.

    """
    totals = [sum((usage_of(result, seat) for result, seat in row), Usage()) for row in rows]
    if not any(total.calls for total in totals):
        return table
    cells = [own + cells_of(total) for own, total in zip(table.rows, totals, strict=True)]
    return replace(table, columns=table.columns + COLUMNS, rows=tuple(cells))


def usage_of(result: GameResult, seat: int) -> Usage:
    return Usage.of(result.usage[seat]) if result.usage else Usage()


def cells_of(usage: Usage) -> tuple[str, ...]:
    """The cells under `COLUMNS`; dashes for a bot that is no language model."""
    if not usage.calls:
        return ("-",) * len(COLUMNS)
    counts = usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.illegal
    return tuple(f"{count:,}" for count in counts)
