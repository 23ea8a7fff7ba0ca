"""What the terminal program writes: the table, the log, choices and points."""

import re
from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from agents.human.log import Entry
from agents.human.points import SeatPoints
from agents.human.words import Choice, text_of_card
from pocketmars_env import Game, View
from pocketmars_env.drawing import table_text
from pocketmars_env.engine.cards import CARDS
from pocketmars_env.engine.constants import BUILDING_NAMES
from pocketmars_env.engine.notation import bookmark, snapshot

COMMAND_KEYS = "hlustq"
"""Letters that are commands and no choices."""
CHOICE_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in COMMAND_KEYS)
"""The keys of the choices, in their order; choices beyond them are reached with the arrows."""

CARD_LABELS = {BUILDING_NAMES[card.suit][0] + card.name.split()[-1]: card.name for card in CARDS}
"""How the table writes a card, such as ``"G4"``, and its name."""
CARD_PATTERN = re.compile(rf"\b({'|'.join(CARD_LABELS)})\b")

CARD_TEXTS = {card.name: text_of_card(number) for number, card in enumerate(CARDS)}
"""What is known about each card, by its name."""

CARD_META = "card"
"""Under this name a piece of text carries the name of the card that it shows."""


def table_lines(view: View[Game], columns: int) -> tuple[str, Text]:
    """The table as the view shows it.

    Args:
        view: what the person may know.
        columns: that a line may have.

    Returns:
        The title, and the lines below the question; every known card carries its name as `CARD_META`.

    """
    text = table_text(snapshot(view.states), view.seat, bookmark(view.states), columns=columns)
    title, _, below = text.partition("\n\n")
    shown = Text.from_ansi(squeezed(below), no_wrap=True)
    for found in CARD_PATTERN.finditer(shown.plain):
        shown.stylize(Style(meta={CARD_META: CARD_LABELS[found[0]]}), found.start(), found.end())
    return Text.from_ansi(title).plain.splitlines()[0], shown


def squeezed(text: str) -> str:
    """A text without empty lines."""
    return "\n".join(line for line in text.splitlines() if line.strip())


def choice_line(choice: Choice, place: int) -> Text:
    """A choice of the list, with its key."""
    key = CHOICE_KEYS[place] if place < len(CHOICE_KEYS) else " "
    return Text.assemble((f"{key}", "bold"), "  ", choice.words)


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
