"""Texts of the terminal app: the table, the log, the choices and the points."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from rich.style import Style
from rich.table import Table
from rich.text import Text

from pocketmars_agents.play.player_names import PlayerNames
from pocketmars_env.core.presentation.interface import Choice, Entry, Presentation, SeatPoints

COMMAND_KEYS = "hlustq"
"""Keys for commands; they are not used for choices."""
CHOICE_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in COMMAND_KEYS)
"""Keys for choices, in order; if there are more choices than keys, the last choices have no key."""

CARD_META = "card"
"""Dictionary key of a card's name in the style metadata of the table text."""


def table_lines(presentation: Presentation, seat_view: Any, names: PlayerNames, columns: int) -> Text:
    """Return the table as a person sees it, at most `columns` characters wide, without title and headline.

    If `columns` is less than the presentation's minimum width, the minimum width applies instead. The style
    metadata of each card label contains the name of the card; see `CARD_META`.
    """
    text = presentation.text(seat_view, columns=max(columns, presentation.least_columns), has_heading=False)
    lines = Text.from_ansi(names.in_table(text), no_wrap=True).split("\n")
    table = Text("\n").join(line for line in lines if line.plain.strip())
    labels = presentation.card_labels()
    for match in card_pattern(labels).finditer(table.plain):
        table.stylize(Style(meta={CARD_META: labels[match[0]]}), match.start(), match.end())
    return table


def card_pattern(labels: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern that matches any of the card labels; if there are no labels, it matches nothing."""
    return re.compile(rf"\b({'|'.join(labels) or '(?!)'})\b")


def choice_line(choice: Choice, index: int) -> Table:
    """Return a line with the key of a choice, if it has one, and the choice in words."""
    line = Table.grid(padding=(0, 2, 0, 0))
    line.add_column(width=1)
    line.add_column()
    line.add_row(Text(CHOICE_KEYS[index] if index < len(CHOICE_KEYS) else "", "bold"), Text(choice.words))
    return line


def log_lines(entries: Sequence[Entry]) -> Text:
    """Return the log entries as text, one per line in the given order, each with its reason, if any."""
    lines = Text()
    for number, entry in enumerate(entries):
        who = f"{entry.seat}: " if entry.seat else "– "
        lines.append("\n" if number else "").append(who, "bold").append(entry.words)
        if entry.why:
            lines.append(f"  ({entry.why})", "italic")
    return lines


def points_lines(seats: Sequence[SeatPoints]) -> Text:
    """Return a text with each seat's points, in total and by source."""
    lines = Text()
    for number, seat in enumerate(seats):
        end = ", wins" if seat.wins else ""
        lines.append("\n" if number else "").append(f"{seat.seat}: {seat.total} points{end}", "bold")
        for words, points in seat.parts:
            lines.append(f"\n  {points:2} for {words}")
    return lines
