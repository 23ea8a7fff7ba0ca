"""Renders a position as text for a terminal."""

import textwrap

from pocketmars_env.core.presentation.interface import COLUMNS, check_columns
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.rules.constants import LANES
from pocketmars_env.games.project_mars.seat_view.seat_view import PlacedCard, SeatView, SideView
from pocketmars_env.games.project_mars.seat_view.see import seat_name
from pocketmars_env.games.project_mars.text.seat_view_text import (
    cards_in_words,
    details,
    headline,
    title,
    viewpoint_text,
)

LEAST_COLUMNS = 76
LABEL_COLUMNS = 9
SEAT_STYLES = ("\x1b[1;34m", "\x1b[1;33m")
BOLD, END = "\x1b[1m", "\x1b[0m"
LEGEND = """\
  Scout 2        a card and its PWR
  Humvee 6 +4    PWR 6, including a bonus of 4
  Outpost 0 z    PWR set to 0
  Scout 0 d      disabled
  (Scout) 2      its effect does not work
  !Spy           an enemy trap
  3 : 5          the PWR of the columns above and below, then the lane's winner"""


def text_of(
    seat_view: SeatView, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
) -> str:
    """Return the position as text; for the arguments, see `Presentation.text`."""
    check_columns(columns, LEAST_COLUMNS)
    lines: list[str] = []
    if has_heading:
        lines.append(f"Project Mars · {title(seat_view)} · {viewpoint_text(seat_view)}")
        lines.append(styled(headline(seat_view), BOLD, is_coloured))
    lines += [details(seat_view)] if details(seat_view) else []
    lines += ["", *side_lines(seat_view.far, columns, is_coloured)]
    lines += [row_line("bottom", seat_view.far, 1, columns), row_line("top", seat_view.far, 0, columns)]
    lines.append(lane_line(seat_view, columns))
    lines += [row_line("top", seat_view.near, 0, columns), row_line("bottom", seat_view.near, 1, columns)]
    lines += [*side_lines(seat_view.near, columns, is_coloured), ""]
    return "\n".join(line for part in lines for line in fitted(part, columns)) + "\n"


def fitted(line: str, columns: int) -> list[str]:
    """Wrap a line to at most `columns` characters; styled lines are short enough and are not wrapped."""
    if len(line) <= columns or "\x1b" in line:
        return [line.rstrip()]
    return textwrap.wrap(line, columns, subsequent_indent=" " * LABEL_COLUMNS)


def styled(text: str, style: str, is_coloured: bool) -> str:
    return f"{style}{text}{END}" if is_coloured else text


def row_line(label: str, side: SideView, row: int, columns: int) -> str:
    """Return the line of text for a row of a field."""
    slots = side.field[row * LANES : (row + 1) * LANES]
    return cells(label, [cell(side, placed, lane_columns(columns) - 1) for placed in slots], columns)


def lane_line(seat_view: SeatView, columns: int) -> str:
    """Return a line of text with each lane's current winner and the power (PWR) of its two columns."""
    texts = []
    for lane, winner in enumerate(seat_view.lanes):
        power = f"{seat_view.far.column_power(lane)} : {seat_view.near.column_power(lane)}"
        texts.append(power if winner is None else f"{power} {seat_name(winner)}")
    return cells("lanes", texts, columns)


def cells(label: str, texts: list[str], columns: int) -> str:
    """Return a line that consists of a label and one text per lane, aligned in columns."""
    width = lane_columns(columns)
    return f"{label:{LABEL_COLUMNS}}" + "".join(f"{text[: width - 1]:{width}}" for text in texts)


def lane_columns(columns: int) -> int:
    """Return the width of a lane's text in characters, including the space after it."""
    return (columns - LABEL_COLUMNS) // LANES


def cell(side: SideView, placed: PlacedCard | None, width: int) -> str:
    """Return the text of a slot in at most `width` characters; only the name of the card is shortened."""
    if placed is None:
        return "·"
    if placed.owner != side.seat:
        return f"!{shortened(CARDS[placed.card].name, width - 1)}"
    marks = f" {placed.power}{f' +{placed.bonus}' if placed.bonus else ''}"
    marks += f"{' z' if placed.is_zeroed else ''}{' d' if placed.is_disabled else ''}"
    if CARDS[placed.card].program and not placed.works:
        return f"({shortened(CARDS[placed.card].name, width - len(marks) - 2)}){marks}"
    return shortened(CARDS[placed.card].name, width - len(marks)) + marks


def shortened(name: str, most: int) -> str:
    """Return the name; if it is longer than `most` characters, it is cut and ends in "…"."""
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def side_lines(side: SideView, columns: int, is_coloured: bool) -> list[str]:
    """Return the lines of text that describe a side, except for its field."""
    rounds = "1 round" if side.wins == 1 else f"{side.wins} rounds"
    suffix = " · has passed" if side.has_passed else ""
    head = f"{side.name} · TPR {side.tpr} · {rounds} won · {side.deck_size} in the deck{suffix}"
    rows = [
        ("hand", f"{len(side.hand)}: {cards_in_words(side.hand)}"),
        ("revealed", cards_in_words(side.revealed)),
    ]
    rows += [("back", cards_in_words(side.back_hand))] if side.back_hand else []
    rows += [("aside", cards_in_words(side.aside))] if side.aside else []
    if side.utility is not None or side.has_used_utility:
        rows.append(("utility", "used" if side.utility is None else CARDS[side.utility].name))
    rows.append(("junkyard", cards_in_words(side.junkyard)))
    return [
        styled(head, SEAT_STYLES[side.seat], is_coloured),
        *(f"{name:{LABEL_COLUMNS}}{words}" for name, words in rows),
    ]
