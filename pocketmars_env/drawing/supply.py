"""Deck and discard pile."""

from pocketmars_env.drawing.canvas import Box, Canvas
from pocketmars_env.drawing.cards import SMALL_WIDTH, small_card, suit_colour, suit_symbol
from pocketmars_env.drawing.sight import SeenTable
from pocketmars_env.engine.constants import NUM_SUITS

EDGE = 10
ROW = 19
VALUE_STEP = 16


def draw_supply(canvas: Canvas, box: Box, table: SeenTable) -> None:
    theme = canvas.theme
    last = table.discard[-1] if table.discard else None
    with canvas.panel(box, theme.panel, theme.line):
        for x, title, size, card in (
            (box.x + EDGE, "Deck", table.deck, table.deck_back()),
            (box.middle + 4, "Discard", len(table.discard), last),
        ):
            canvas.text(x, box.y + 21, title, 14, is_bold=True)
            small_card(canvas, x, box.y + 31, card)
            canvas.text(x + SMALL_WIDTH + 6, box.y + 51, str(size), 20, is_bold=True)
            canvas.text(x + SMALL_WIDTH + 6, box.y + 67, "card" if size == 1 else "cards", 11.5, theme.faint)
        canvas.rectangle(Box(box.x + EDGE, box.y + 88, box.width - 2 * EDGE, 1), theme.line)
        canvas.text(box.x + EDGE, box.y + 106, "discarded, by suit", 11.5, theme.faint)
        for suit in range(NUM_SUITS):
            draw_discarded(canvas, box.x + EDGE, box.y + 114 + suit * (ROW + 6), table, suit)


def draw_discarded(canvas: Canvas, x: float, y: float, table: SeenTable, suit: int) -> None:
    """The discarded cards of a suit, ascending."""
    canvas.rectangle(Box(x, y, ROW, ROW), suit_colour(suit), radius=3)
    suit_symbol(canvas, x + 3, y + 3, ROW - 6, suit)
    labels = sorted(card.label for card in table.discard if card.suit == suit)
    for place, label in enumerate(labels):
        canvas.text(x + ROW + 11 + place * VALUE_STEP, y + 14.5, label, 14, anchor="middle", is_bold=True)
