"""Draws colonists in the shape and color of their seat, with the seat's mark (its number, or "DA")."""

from pocketmars_env.core.svg.canvas import Canvas
from pocketmars_env.games.pocket_mars.drawing.palette import SEAT_COLOURS, SeatColour
from pocketmars_env.games.pocket_mars.drawing.symbols import SEAT_SHAPES
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeenSeat

COLONIST_SIZE = 17
MARK_SIZE = {1: 0.65, 2: 0.5}
"""Font size relative to the colonist's size, keyed by the number of characters in the mark."""


def seat_colour(seat: SeenSeat) -> SeatColour:
    return SEAT_COLOURS[look_of(seat)]


def look_of(seat: SeenSeat) -> int:
    """Return a seat's index in `SEAT_COLOURS` and `SEAT_SHAPES`; -1 (the last) for Devious Automatics."""
    return -1 if seat.is_da else seat.number


def colonist(canvas: Canvas, x: float, y: float, seat: SeenSeat, size: float = COLONIST_SIZE) -> None:
    """Draw a colonist with its upper left corner at (`x`, `y`)."""
    colour, mark = seat_colour(seat), seat.mark
    canvas.symbol(x, y, size, SEAT_SHAPES[look_of(seat)], colour.fill, canvas.theme.ink)
    text_size = size * MARK_SIZE[len(mark)]
    baseline = y + size / 2 + 0.36 * text_size
    canvas.text(x + size / 2, baseline, mark, text_size, colour.ink, "middle", is_bold=True)
