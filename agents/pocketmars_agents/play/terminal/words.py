"""What the terminal program writes: the table, the log, choices and points."""

import re
from collections.abc import Sequence

from rich.style import Style
from rich.table import Table
from rich.text import Text

from pocketmars_agents.commentary.log import Entry
from pocketmars_agents.commentary.points import SeatPoints
from pocketmars_agents.commentary.words import Choice
from pocketmars_env import View
from pocketmars_env.games.pocket_mars.drawing import table_text
from pocketmars_env.games.pocket_mars.drawing.text import LEAST_COLUMNS
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.snapshots.notation import bookmark, snapshot
from pocketmars_env.games.pocket_mars.text.card_text import card_text

COMMAND_KEYS = "hlustq"
"""Letters that are commands and no choices."""
CHOICE_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in COMMAND_KEYS)
"""The keys of the choices, in their order; choices beyond them are reached with the arrows."""

CARD_LABELS = {BUILDING_NAMES[card.suit][0] + card.name.split()[-1]: card.name for card in CARDS}
"""How the table writes a card, such as ``"G4"``, and its name."""
CARD_PATTERN = re.compile(rf"\b({'|'.join(CARD_LABELS)})\b")

CARD_TEXTS = {card.name: card_text(number) for number, card in enumerate(CARDS)}
"""What is known about each card, by its name."""

CARD_META = "card"
"""Under this name a piece of text carries the name of the card that it shows."""


def table_lines(view: View, columns: int) -> Text:
    """The table as the view shows it, without title and question.

    Args:
        view: what the person may know.
        columns: that a line may have.

    Returns:
        The lines; in them every known card carries its name as `CARD_META`.

    """
    states = view.states
    text = table_text(
        snapshot(states), view.seat, bookmark(states), columns=max(columns, LEAST_COLUMNS), has_heading=False
    )
    lines = Text.from_ansi(text, no_wrap=True).split("\n")
    shown = Text("\n").join(line for line in lines if line.plain.strip())
    for found in CARD_PATTERN.finditer(shown.plain):
        shown.stylize(Style(meta={CARD_META: CARD_LABELS[found[0]]}), found.start(), found.end())
    return shown


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
