"""Draws the table as text for a terminal, with or without colors.

A card is written as the first letter of its suit, followed by its value or, for Habitation, its letter.
``G4`` is face up or in the hand of the seat in focus (`SeatView.focus`). ``[G4]`` is face down or in another
hand, but the viewer knows its value. If the viewer knows only the suit, the card is ``[G]``.
"""

import io
from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pocketmars_env.core.presentation.interface import COLUMNS, check_columns
from pocketmars_env.games.pocket_mars.drawing.cards import suit_colour
from pocketmars_env.games.pocket_mars.drawing.colonists import seat_colour
from pocketmars_env.games.pocket_mars.drawing.palette import ON_COLOUR
from pocketmars_env.games.pocket_mars.rules.cards import FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    COLONISTS,
    MAX_ENERGY,
    NUM_BUILDINGS,
    NUM_SUITS,
)
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenCard, SeenSeat
from pocketmars_env.games.pocket_mars.text.card_text import program_text
from pocketmars_env.games.pocket_mars.text.seat_view_text import (
    badges,
    details,
    handicap_of,
    headline,
    title,
    viewpoint_text,
)

LEAST_COLUMNS = 76
"""The minimum value of `columns`: the width that the tables need."""
LONGEST_MARK = len("handicap")
"""The minimum width of the column of badges, which has no heading."""
SEPARATOR = "  "


def text_of(
    seat_view: SeatView, columns: int = COLUMNS, is_coloured: bool = True, has_heading: bool = True
) -> str:
    """Return a seat view as text; the arguments and errors are those of `Presentation.text`."""
    check_columns(columns, LEAST_COLUMNS)
    console = Console(
        file=io.StringIO(),
        width=columns,
        force_terminal=is_coloured,
        force_jupyter=False,
        color_system="truecolor" if is_coloured else None,
        no_color=not is_coloured,
        legacy_windows=False,
    )
    with console.capture() as captured:
        console.print(written(seat_view, has_heading))
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def written(seat_view: SeatView, has_heading: bool = True) -> RenderableType:
    """Return all parts of the text, from the heading (only if `has_heading` is true) to the legend."""
    return Group(
        *(heading(seat_view) if has_heading else ()),
        *([Text(details(seat_view))] if details(seat_view) else []),
        *(Text(f"{name}: ") + row_of_cards(cards) for name, cards in seat_view.cards_of_action()),
        buildings_in_rows(seat_view),
        seats_in_rows(seat_view),
        supply_text(seat_view),
        hand_in_rows(seat_view),
        Text(legend(), style="dim"),
    )


def heading(seat_view: SeatView) -> tuple[Text, Text]:
    title_line = Text(f"Pocket Mars · {title(seat_view)} · {viewpoint_text(seat_view)}")
    return title_line, Text(headline(seat_view), style="bold")


# --- cards ----------------------------------------------------------------------------------------


def card_text(card: SeenCard | None) -> Text:
    """Return the text of a card, or a dash if `card` is None."""
    if card is None:
        return Text("–")
    letter = BUILDING_NAMES[card.suit][0]
    label = letter if card.card is None else letter + card.label
    style = f"{ON_COLOUR} on {suit_colour(card.suit)}"
    return Text.assemble((label if card.is_open else f"[{label}]", style))


def row_of_cards(cards: Iterable[SeenCard | None]) -> Text:
    return Text(" ").join(card_text(card) for card in cards)


def legend() -> str:
    suits = ", ".join(f"{name[0]} {name}" for name in BUILDING_NAMES)
    return f"{suits}; [G4], [G]: face down"


# --- the table ------------------------------------------------------------------------------------


def text_table(unwrapped: Iterable[str], wrapped: Iterable[str]) -> Table:
    """Return an empty table with a line below its header."""
    rows = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in unwrapped:
        rows.add_column(column, no_wrap=True)
    for column in wrapped:
        rows.add_column(column, overflow="fold", min_width=None if column else LONGEST_MARK)
    return rows


def mark_text(seat: SeenSeat) -> Text:
    """Return the text on a seat's colonists (the seat's number, or "DA") in the seat's colors."""
    colour = seat_colour(seat)
    return Text.assemble((seat.mark, f"{colour.ink} on {colour.fill}"))


def colonists_text(seat: SeenSeat, count: int) -> Text:
    return mark_text(seat) + Text(f"×{count}")


def buildings_in_rows(seat_view: SeatView) -> Table:
    rows = text_table(("Building", "to beat", "top card"), ("under it, upwards", "★★", "★"))
    for building in range(NUM_SUITS):
        pile = seat_view.piles[building]
        value = seat_view.value_to_beat(building)
        has_places = building < NUM_BUILDINGS
        rows.add_row(
            BUILDING_NAMES[building],
            "" if value is None else str(value),
            card_text(pile[-1] if pile else None),
            row_of_cards(pile[:-1]),
            star2_text(seat_view, building) if has_places else Text(),
            star_text(seat_view, building) if has_places else Text(),
        )
    return rows


def star2_text(seat_view: SeatView, building: int) -> Text:
    """Return the colonists on ★★ and the number of free ★★ places as text."""
    colonists = [(seat, seat.star2[building]) for seat in seat_view.seats if seat.star2[building]]
    free = seat_view.places_on_star2 - sum(count for _, count in colonists)
    parts = [colonists_text(seat, count) for seat, count in colonists]
    return Text(" ").join([*parts, Text(f"{free} free")])


def star_text(seat_view: SeatView, building: int) -> Text:
    return Text(" ").join(
        colonists_text(seat, seat.star[building]) for seat in seat_view.seats if seat.star[building]
    )


def supply_text(seat_view: SeatView) -> Text:
    """Return a line of text about the deck and the discard pile."""
    deck = Text(f"Deck {seat_view.deck}, on top ") + card_text(seat_view.deck_back())
    if seat_view.under:
        deck += Text(f", {seat_view.under_title} ") + row_of_cards(seat_view.under)
    discard = Text(f"{SEPARATOR}Discard {len(seat_view.discard)}, newest first: ")
    return deck + discard + row_of_cards(reversed(seat_view.discard))


def seats_in_rows(seat_view: SeatView) -> Table:
    rows = text_table(("Seat", "points", "Earth", "Ship", "settled", "energy", "prep"), ("hand", ""))
    for seat in seat_view.seats:
        hand = row_of_cards(seat.hand)
        if seat.packet:
            hand = Text("kept ") + hand + Text(" packet ") + row_of_cards(seat.packet)
        if seat.pending:
            hand += Text(" chosen ") + row_of_cards(seat.pending)
        rows.add_row(
            mark_text(seat) + Text(f" {seat.name}"),
            str(seat.score),
            str(seat.earth),
            str(seat.ship),
            f"{seat.settled}/{COLONISTS}",
            f"{seat.energy}/{MAX_ENERGY}",
            row_of_cards(seat.prep),
            hand,
            ", ".join(seat_marks(seat_view, seat.number)),
        )
    return rows


def seat_marks(seat_view: SeatView, seat: int) -> list[str]:
    """Return a seat's handicap and badges, without those that other parts of the text imply."""
    implied = {"starts"} if seat_view.mode == "solo" else set()
    if seat == seat_view.to_play:
        implied.add("turn")
    handicap = handicap_of(seat_view, seat_view.seats[seat])
    return [mark for mark in (handicap, *badges(seat_view, seat)) if mark and mark not in implied]


def hand_in_rows(seat_view: SeatView) -> Table:
    """Return a table of the cards of the seat in focus, with their texts."""
    rows = text_table((seat_view.seats[seat_view.focus].name, ""), ("top", "bottom"))
    for zone, card in seat_view.cards_in_focus():
        top = bottom = ""
        if card.card is not None:
            top, bottom = program_text(FIRST_TOP + card.card), program_text(FIRST_BOTTOM + card.card)
        rows.add_row(zone, card_text(card), top, bottom)
    return rows
