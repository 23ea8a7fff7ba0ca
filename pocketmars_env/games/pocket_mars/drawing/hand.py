"""Draws the cards of the seat in focus (`SeatView.focus`), with their texts."""

from math import ceil

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import LARGE_HEIGHT, large_card
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView

ROW_OF_CARDS = 6
TITLE_HEIGHT = 22
GAP = 8
ROW_HEIGHT = TITLE_HEIGHT + GAP + LARGE_HEIGHT


def hand_height(view: SeatView) -> float:
    """Returns the height of the rows of cards in pixels; in reachable positions, there is only one row."""
    return max(1, ceil(len(view.cards_in_focus()) / ROW_OF_CARDS)) * ROW_HEIGHT


def draw_hand(canvas: Canvas, box: Box, view: SeatView) -> None:
    """Draws rows of cards, with a title such as "hand" above the first card of each zone.

    If the seat has no cards, the text "no cards" is drawn instead.
    """
    cards = view.cards_in_focus()
    owner = view.seats[view.focus].name
    columns = box.columns(ROW_OF_CARDS, GAP)
    for row in range(max(1, ceil(len(cards) / ROW_OF_CARDS))):
        places = range(row * ROW_OF_CARDS, min(len(cards), (row + 1) * ROW_OF_CARDS))
        y = box.y + row * ROW_HEIGHT
        if not cards:
            with canvas.panel(Box(box.x, y, box.width, TITLE_HEIGHT), "none"):
                canvas.text(box.x + 2, y + 16, f"{owner}: no cards", 13, is_bold=True)
        for place, column in zip(places, columns, strict=False):
            title, card = cards[place]
            with canvas.panel(Box(column.x, y, column.width, ROW_HEIGHT), "none"):
                if place == 0 or title != cards[place - 1][0]:
                    words = f"{owner}: {title}" if place == 0 else title
                    canvas.text(column.x + 2, y + 16, words, 13, is_bold=True)
                large_card(canvas, Box(column.x, y + TITLE_HEIGHT + GAP, column.width, LARGE_HEIGHT), card)
