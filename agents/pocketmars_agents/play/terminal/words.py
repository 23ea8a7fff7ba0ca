"""What the terminal program writes: the table, the log, choices and points."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from pocketmars_env.core.presentation import Choice, Entry, Presentation, SeatPoints

COMMAND_KEYS = "hlustq"
"""Letters that are commands and no choices."""
CHOICE_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in COMMAND_KEYS)
"""The keys of the choices, in their order; choices beyond them are reached with the arrows."""

CARD_META = "card"
"""Under this name a piece of text carries the name of the card that it shows."""


def table_lines(presentation: Presentation, seat_view: Any, columns: int) -> Text:
    """The table as a person sees it, without title and question.

    Args:
        presentation: the game's.
        table: what the person sees.
        columns: that a line may have.

    Returns:
        The lines; in them every known card carries its name as `CARD_META`.

    """
    text = presentation.text(seat_view, columns=max(columns, presentation.least_columns), has_heading=False)
    lines = Text.from_ansi(text, no_wrap=True).split("\n")
    shown = Text("\n").join(line for line in lines if line.plain.strip())
    labels = presentation.card_labels()
    for found in card_pattern(labels).finditer(shown.plain):
        shown.stylize(Style(meta={CARD_META: labels[found[0]]}), found.start(), found.end())
    return shown


def card_pattern(labels: Iterable[str]) -> re.Pattern[str]:
    """Finds the labels of cards in a text."""
    return re.compile(rf"\b({'|'.join(labels) or '(?!)'})\b")


def choice_line(choice: Choice, place: int) -> Table:
    """A choice of the list, with its key."""
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_column(width=1)
    line.add_column()
    line.add_row(Text(CHOICE_KEYS[place] if place < len(CHOICE_KEYS) else "", "bold"), Text(choice.words))
    return line


def log_lines(entries: Sequence[Entry]) -> Text:
    """The log, the newest entry last, each with its reason."""
    lines = Text()
    for number, entry in enumerate(entries):
        who = f"{entry.seat}: " if entry.seat else "– "
        lines.append("\n" if number else "").append(who, "bold").append(entry.words)
        if entry.why:
            lines.append(f"  ({entry.why})", "italic")
    return lines


def points_lines(seats: Sequence[SeatPoints]) -> Text:
    """The points of all seats, and below each what they are for."""
    lines = Text()
    for number, seat in enumerate(seats):
        end = ", wins" if seat.wins else ""
        lines.append("\n" if number else "").append(f"{seat.seat}: {seat.total} points{end}", "bold")
        for words, points in seat.parts:
            lines.append(f"\n  {points:2} for {words}")
    return lines
