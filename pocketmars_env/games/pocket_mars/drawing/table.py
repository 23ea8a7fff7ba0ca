"""Draws the table as a picture: heading, status, Buildings, supply, seats, and the cards in focus."""

from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.games.pocket_mars.drawing.buildings import BUILDING_HEIGHT, draw_building
from pocketmars_env.games.pocket_mars.drawing.cards import (
    LARGE_HEIGHT,
    SMALL_HEIGHT,
    SMALL_WIDTH,
    large_card,
    small_card,
)
from pocketmars_env.games.pocket_mars.drawing.colonists import colonist
from pocketmars_env.games.pocket_mars.drawing.seats import SEAT_HEIGHT, draw_seat
from pocketmars_env.games.pocket_mars.drawing.supply import draw_supply
from pocketmars_env.games.pocket_mars.rules.constants import NUM_SUITS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.text.seat_view_text import details, headline, title, viewpoint_text

MARGIN = 10
GAP = 8
HEADING_HEIGHT = 22
STATUS_HEIGHT = 62
SUPPLY_WIDTH = 160
CARDS_WIDTH = 60
"""Width in pixels that is reserved for the title of a group of small cards."""
ROW_OF_CARDS = 6
"""The number of cards for which the row has room; a seat has at most 5 (see `snapshots/possible.py`)."""
TITLE_HEIGHT = 22
HAND_HEIGHT = TITLE_HEIGHT + GAP + LARGE_HEIGHT


def draw_table(seat_view: SeatView, theme: Theme) -> Picture:
    heading = Box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEADING_HEIGHT)
    status = Box(MARGIN, heading.bottom + GAP, heading.width, STATUS_HEIGHT)
    buildings = Box(MARGIN, status.bottom + GAP, heading.width - SUPPLY_WIDTH - GAP, BUILDING_HEIGHT)
    supply = Box(buildings.right + GAP, buildings.y, SUPPLY_WIDTH, BUILDING_HEIGHT)
    seats = Box(MARGIN, buildings.bottom + GAP, heading.width, SEAT_HEIGHT)
    hand = Box(MARGIN, seats.bottom + GAP, heading.width, HAND_HEIGHT)

    canvas = Canvas(theme)
    canvas.heading(heading, "Pocket Mars", title(seat_view), viewpoint_text(seat_view))
    draw_status(canvas, status, seat_view)
    for building, box in enumerate(buildings.columns(NUM_SUITS, GAP)):
        draw_building(canvas, box, seat_view, building)
    draw_supply(canvas, supply, seat_view)
    first_seat = seat_view.viewpoint or 0
    in_order = [*seat_view.seats[first_seat:], *seat_view.seats[:first_seat]]
    for seat, box in zip(in_order, seats.columns(len(seat_view.seats), GAP), strict=True):
        draw_seat(canvas, box, seat_view, seat)
    draw_hand(canvas, hand, seat_view)
    words = f"Pocket Mars. {title(seat_view)}. {headline(seat_view)}"
    return canvas.picture(WIDTH, round(hand.bottom + MARGIN), words)


def draw_status(canvas: Canvas, box: Box, seat_view: SeatView) -> None:
    theme = canvas.theme
    line = theme.line if seat_view.over else theme.highlight
    with canvas.panel(box, theme.panel, line, 1 if seat_view.over else 2):
        x = box.x + 12
        words = details(seat_view)
        # a headline without details is centered vertically
        y = box.y if words else box.y + 11
        for number in seat_view.winners if seat_view.over else (seat_view.to_play,):
            if number is not None:
                colonist(canvas, x, y + 9, seat_view.seats[number], 20)
                x += 25
        canvas.text(x + 2, y + 25, headline(seat_view), 16, is_bold=True)
        left = draw_groups(canvas, box, seat_view)
        canvas.paragraph(box.x + 12, box.y + 43, words, 12, left - box.x - 24, theme.faint)


def draw_groups(canvas: Canvas, box: Box, seat_view: SeatView) -> float:
    """Draw the current action's cards in titled groups, and return the x coordinate of their left edge."""
    x = box.right
    for group, cards in seat_view.cards_of_action():
        x -= len(cards) * (SMALL_WIDTH + 5) + 5
        for index, card in enumerate(cards):
            left = x + index * (SMALL_WIDTH + 5)
            small_card(canvas, left, box.y + (box.height - SMALL_HEIGHT) / 2, card)
        canvas.text(x - 6, box.y + 35, group, 12, canvas.theme.faint, "end")
        x -= CARDS_WIDTH
    return x


def draw_hand(canvas: Canvas, box: Box, seat_view: SeatView) -> None:
    """Draw the cards of the seat in focus in a row, with a title above the first card of each zone."""
    cards = seat_view.cards_in_focus()
    owner = seat_view.seats[seat_view.focus].name
    if not cards:
        with canvas.panel(Box(box.x, box.y, box.width, TITLE_HEIGHT), "none"):
            canvas.text(box.x + 2, box.y + 16, f"{owner}: no cards", 13, is_bold=True)
    for index, ((zone, card), column) in enumerate(zip(cards, box.columns(ROW_OF_CARDS, GAP), strict=False)):
        with canvas.panel(column, "none"):
            if index == 0 or zone != cards[index - 1][0]:
                words = f"{owner}: {zone}" if index == 0 else zone
                canvas.text(column.x + 2, column.y + 16, words, 13, is_bold=True)
            large_card(canvas, Box(column.x, column.y + TITLE_HEIGHT + GAP, column.width, LARGE_HEIGHT), card)
