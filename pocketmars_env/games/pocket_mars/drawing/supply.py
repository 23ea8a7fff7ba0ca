"""Draws the deck and the discard pile."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import (
    CHIP_WIDTH,
    SMALL_WIDTH,
    TALL_CHIP_HEIGHT,
    chip,
    small_card,
    suit_colour,
    suit_symbol,
)
from pocketmars_env.games.pocket_mars.rules.constants import NUM_SUITS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView

EDGE = 10
ROW = 19
VALUE_STEP = 16
CHIPS_IN_ROW = 8
MOST_CHIPS = 2 * CHIPS_IN_ROW
CHIP_STEP = CHIP_WIDTH + 2.5


def draw_supply(canvas: Canvas, box: Box, seat_view: SeatView) -> None:
    theme = canvas.theme
    last = seat_view.discard[-1] if seat_view.discard else None
    with canvas.panel(box, theme.panel, theme.line):
        for x, title, size, card in (
            (box.x + EDGE, "Deck", seat_view.deck, seat_view.deck_back()),
            (box.middle + 4, "Discard", len(seat_view.discard), last),
        ):
            canvas.text(x, box.y + 21, title, 14, is_bold=True)
            small_card(canvas, x, box.y + 31, card)
            canvas.text(x + SMALL_WIDTH + 6, box.y + 51, str(size), 20, is_bold=True)
            canvas.text(x + SMALL_WIDTH + 6, box.y + 67, "card" if size == 1 else "cards", 11.5, theme.faint)
        y = draw_under(canvas, Box(box.x + EDGE, box.y + 80, box.width - 2 * EDGE, 0), seat_view) + 8
        canvas.rectangle(Box(box.x + EDGE, y, box.width - 2 * EDGE, 1), theme.line)
        canvas.text(box.x + EDGE, y + 18, "discarded, by suit", 11.5, theme.faint)
        step = min(ROW + 6, (box.bottom - 4 - y - 26) / NUM_SUITS)
        for suit in range(NUM_SUITS):
            draw_discarded(canvas, box.x + EDGE, y + 26 + suit * step, min(ROW, step - 1), seat_view, suit)


def draw_under(canvas: Canvas, box: Box, seat_view: SeatView) -> float:
    """Draw the cards put under the deck, upper cards first; "+ 3" stands for cards that do not fit."""
    if not seat_view.under:
        return box.y
    canvas.text(box.x, box.y + 10, seat_view.under_title, 11.5, canvas.theme.faint)
    y, cards = (
        box.y + 15,
        seat_view.under[: MOST_CHIPS if len(seat_view.under) <= MOST_CHIPS else MOST_CHIPS - 2],
    )
    for index, card in enumerate(cards):
        row, column = divmod(index, CHIPS_IN_ROW)
        chip(canvas, box.x + column * CHIP_STEP, y + row * (TALL_CHIP_HEIGHT + 2), card, has_symbol=True)
    if len(cards) < len(seat_view.under):
        x = box.x + (CHIPS_IN_ROW - 2) * CHIP_STEP
        canvas.text(x + 2, y + TALL_CHIP_HEIGHT + 19, f"+ {len(seat_view.under) - len(cards)}", 12)
    return y + (2 if len(cards) > CHIPS_IN_ROW else 1) * (TALL_CHIP_HEIGHT + 2) - 2


def draw_discarded(canvas: Canvas, x: float, y: float, size: float, seat_view: SeatView, suit: int) -> None:
    """Draw a suit's symbol in a square, then the labels of its discarded cards in ascending order."""
    canvas.rectangle(Box(x, y, size, size), suit_colour(suit), radius=3)
    suit_symbol(canvas, x + 3, y + 3, size - 6, suit)
    labels = sorted(card.label for card in seat_view.discard if card.suit == suit)
    for index, label in enumerate(labels):
        canvas.text(
            x + ROW + 11 + index * VALUE_STEP, y + size / 2 + 5, label, 14, anchor="middle", is_bold=True
        )
