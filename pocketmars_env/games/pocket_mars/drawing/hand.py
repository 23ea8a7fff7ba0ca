"""Draws the cards of the seat in focus (`SeatView.focus`), with their texts."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import LARGE_HEIGHT, large_card
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView

ROW_OF_CARDS = 6
"""The number of cards for which the row has room; a seat has at most 5 (see `snapshots/possible.py`)."""
TITLE_HEIGHT = 22
GAP = 8
HAND_HEIGHT = TITLE_HEIGHT + GAP + LARGE_HEIGHT


def draw_hand(canvas: Canvas, box: Box, view: SeatView) -> None:
    """Draw the cards of the seat in focus in a row, with a title above the first card of each zone.

    If this seat has no cards, the text "no cards" is drawn instead.
    """
    cards = view.cards_in_focus()
    owner = view.seats[view.focus].name
    if not cards:
        with canvas.panel(Box(box.x, box.y, box.width, TITLE_HEIGHT), "none"):
            canvas.text(box.x + 2, box.y + 16, f"{owner}: no cards", 13, is_bold=True)
    for place, ((title, card), column) in enumerate(zip(cards, box.columns(ROW_OF_CARDS, GAP), strict=False)):
        with canvas.panel(column, "none"):
            if place == 0 or title != cards[place - 1][0]:
                words = f"{owner}: {title}" if place == 0 else title
                canvas.text(column.x + 2, column.y + 16, words, 13, is_bold=True)
            large_card(canvas, Box(column.x, column.y + TITLE_HEIGHT + GAP, column.width, LARGE_HEIGHT), card)
