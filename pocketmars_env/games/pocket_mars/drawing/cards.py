"""Draws cards as chips (boxes with the value), small cards (suit and value) or large cards (with text)."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.palette import ON_COLOUR, SUIT_COLOURS
from pocketmars_env.games.pocket_mars.drawing.symbols import SUIT_SYMBOLS
from pocketmars_env.games.pocket_mars.rules.cards import FIRST_BOTTOM, FIRST_TOP
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, Building
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeenCard
from pocketmars_env.games.pocket_mars.text.card_text import program_text

SMALL_WIDTH, SMALL_HEIGHT = 32, 44
CHIP_WIDTH, CHIP_HEIGHT, TALL_CHIP_HEIGHT = 15, 16, 26
LARGE_HEIGHT = 186


def suit_colour(suit: int) -> str:
    return SUIT_COLOURS[Building(suit)]


def suit_symbol(canvas: Canvas, x: float, y: float, size: float, suit: int, fill: str = ON_COLOUR) -> None:
    canvas.symbol(x, y, size, SUIT_SYMBOLS[Building(suit)], fill)


def small_card(canvas: Canvas, x: float, y: float, card: SeenCard | None, is_ringed: bool = False) -> None:
    """Draw a small card, or a dashed outline if `card` is None; a ring marks the card being resolved."""
    box = Box(x, y, SMALL_WIDTH, SMALL_HEIGHT)
    line = canvas.theme.highlight if is_ringed else canvas.theme.line
    if card is None:
        empty_place(canvas, box)
    elif card.is_open:
        small_face(canvas, box, card, line, 2.5 if is_ringed else 1)
    else:
        small_back(canvas, box, card, line, 2.5 if is_ringed else 1)


def empty_place(canvas: Canvas, box: Box) -> None:
    with canvas.panel(box, "none", canvas.theme.line, radius=4, is_dashed=True):
        pass


def small_face(canvas: Canvas, box: Box, card: SeenCard, line: str, width: float) -> None:
    """Draw the face of a card: the suit above the value."""
    theme = canvas.theme
    with canvas.panel(box, theme.paper, line, width, radius=4, about=card.text):
        canvas.rectangle(Box(box.x + 2, box.y + 2, box.width - 4, 17), suit_colour(card.suit), radius=3)
        suit_symbol(canvas, box.middle - 7, box.y + 3.5, 14, card.suit)
        canvas.text(box.middle, box.y + 37, card.label, 17, anchor="middle", is_bold=True)


def small_back(canvas: Canvas, box: Box, card: SeenCard, line: str, width: float) -> None:
    """Draw the back of a card: the suit in a frame, and the value if the card is known."""
    theme = canvas.theme
    with canvas.panel(box, suit_colour(card.suit), line, width, radius=4, about=card.text):
        canvas.rectangle(box.inset(3.5), "none", ON_COLOUR, radius=2)
        if card.card is None:
            suit_symbol(canvas, box.middle - 9, box.y + 13, 18, card.suit)
            return
        suit_symbol(canvas, box.middle - 7, box.y + 7, 14, card.suit)
        with canvas.panel(Box(box.middle - 9, box.y + 22.5, 18, 16), theme.paper, radius=3):
            canvas.text(box.middle, box.y + 34.9, card.label, 13, anchor="middle", is_bold=True)


def chip(canvas: Canvas, x: float, y: float, card: SeenCard, has_symbol: bool = False) -> None:
    """Draw the card's value (or Habitation letter) in a small box; "?" if the card is unknown.

    The box has the suit's color unless `card.is_open` is true. If `has_symbol` is true, the box is taller
    and has the suit's symbol above the value.
    """
    box = Box(x, y, CHIP_WIDTH, TALL_CHIP_HEIGHT if has_symbol else CHIP_HEIGHT)
    fill, ink = canvas.theme.paper, canvas.theme.ink
    if not card.is_open:
        fill, ink = suit_colour(card.suit), ON_COLOUR
    with canvas.panel(box, fill, canvas.theme.line, radius=3, about=card.text):
        if has_symbol:
            suit_symbol(canvas, box.middle - 5, y + 2, 10, card.suit, ink)
        canvas.text(box.middle, box.bottom - 3.7, card.label, 12, ink, "middle", is_bold=True)


def large_card(canvas: Canvas, box: Box, card: SeenCard) -> None:
    """Draw a card with the texts of both halves, or only its suit if the card is unknown."""
    theme = canvas.theme
    with canvas.panel(box, theme.paper, theme.line):
        with canvas.panel(Box(box.x + 3, box.y + 3, box.width - 6, 24), suit_colour(card.suit), radius=4):
            suit_symbol(canvas, box.x + 8, box.y + 6.5, 17, card.suit)
            name = BUILDING_NAMES[card.suit] if card.card is None else card.name
            canvas.text(box.x + 31, box.y + 20, name, 14, ON_COLOUR, is_bold=True)
        if card.card is None:
            canvas.text(box.x + 9, box.y + 46, "face down", 12, theme.faint)
            return
        half(canvas, box, 28, "TOP, from hand", program_text(FIRST_TOP + card.card))
        canvas.rectangle(Box(box.x + 9, box.y + 107, box.width - 18, 1), theme.line)
        half(canvas, box, 108, "BOTTOM, from prep", program_text(FIRST_BOTTOM + card.card))


def half(canvas: Canvas, box: Box, y: float, title: str, text: str) -> None:
    """Draw one half of a large card, `y` pixels below the card's upper edge."""
    canvas.text(box.x + 9, box.y + y + 13, title, 11, canvas.theme.faint)
    canvas.paragraph(box.x + 9, box.y + y + 28, text, 12, box.width - 16)
