"""Draws a Building: its ability, its colonists and its pile."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import (
    CHIP_WIDTH,
    SMALL_HEIGHT,
    SMALL_WIDTH,
    chip,
    small_card,
    suit_colour,
    suit_symbol,
)
from pocketmars_env.games.pocket_mars.drawing.colonists import COLONIST_SIZE, colonist
from pocketmars_env.games.pocket_mars.drawing.palette import ON_COLOUR
from pocketmars_env.games.pocket_mars.drawing.symbols import SEAT_SHAPES, STAR
from pocketmars_env.games.pocket_mars.rules.cards import FIRST_ABILITY
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, NUM_BUILDINGS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.text.card_text import program_text

BUILDING_HEIGHT = 250
EDGE = 8
STARS_WIDTH = 25
STAR_COLONIST_SIZE = 15
SEAT_STEP = 29


def draw_building(canvas: Canvas, box: Box, seat_view: SeatView, building: int) -> None:
    theme = canvas.theme
    with canvas.panel(box, theme.panel, theme.line):
        with canvas.panel(Box(box.x + 3, box.y + 3, box.width - 6, 26), suit_colour(building), radius=4):
            suit_symbol(canvas, box.x + 9, box.y + 7, 18, building)
            canvas.text(box.x + 34, box.y + 21, BUILDING_NAMES[building], 14.5, ON_COLOUR, is_bold=True)
        ability = program_text(FIRST_ABILITY + building)
        canvas.paragraph(box.x + EDGE, box.y + 45, ability, 11.5, box.width - 2 * EDGE, theme.faint)
        if building < NUM_BUILDINGS:
            draw_star2(canvas, box.x + EDGE, box.y + 90, seat_view, building)
            draw_star(canvas, box.x + EDGE, box.y + 118, seat_view, building)
        else:
            canvas.text(box.x + EDGE, box.y + 104, "no places for colonists", 11.5, theme.faint)
        canvas.rectangle(Box(box.x + EDGE, box.y + 147, box.width - 2 * EDGE, 1), theme.line)
        draw_pile(canvas, Box(box.x + EDGE, box.y + 158, box.width - 2 * EDGE, 84), seat_view, building)


def draw_star2(canvas: Canvas, x: float, y: float, seat_view: SeatView, building: int) -> None:
    """Draw the ★★ places and the colonists on them."""
    for index in range(2):
        canvas.symbol(x + 11 * index, y + 3, 11, STAR, canvas.theme.ink)
    x += STARS_WIDTH
    owners = [seat for seat in seat_view.seats for _ in range(seat.star2[building])]
    for place in range(seat_view.places_on_star2):
        if place < len(owners):
            colonist(canvas, x, y, owners[place])
        else:
            canvas.symbol(x, y, COLONIST_SIZE, SEAT_SHAPES[0], "none", canvas.theme.line)
        x += COLONIST_SIZE + 5


def draw_star(canvas: Canvas, x: float, y: float, seat_view: SeatView, building: int) -> None:
    """Draws, for each seat with colonists on ★, the number of these colonists."""
    canvas.symbol(x + 11, y + 3, 11, STAR, canvas.theme.ink)
    x += STARS_WIDTH
    for seat in seat_view.seats:
        if seat.star[building]:
            colonist(canvas, x, y + 1, seat, STAR_COLONIST_SIZE)
            canvas.text(x + STAR_COLONIST_SIZE + 2, y + 13, str(seat.star[building]), 13, is_bold=True)
        x += SEAT_STEP


def draw_pile(canvas: Canvas, box: Box, seat_view: SeatView, building: int) -> None:
    """Draw a pile: its top card, value to beat, number of cards, and covered cards (from the bottom up)."""
    pile = seat_view.piles[building]
    top = pile[-1] if pile else None
    small_card(canvas, box.x, box.y, top, top is not None and top.card == seat_view.played is not None)
    x = box.x + SMALL_WIDTH + 9
    value = seat_view.value_to_beat(building)
    if value is not None:
        width = canvas.text(x, box.y + 18, "to beat", 12, canvas.theme.faint)
        canvas.text(x + width + 6, box.y + 20, str(value), 20, is_bold=True)
    cards = "no card" if not pile else "1 card" if len(pile) == 1 else f"{len(pile)} cards"
    canvas.text(x, box.y + 39, cards, 12)
    covered = pile[:-1]
    if covered:
        y = box.y + SMALL_HEIGHT + 12
        width = canvas.text(box.x, y + 12.3, "under", 11, canvas.theme.faint)
        for index, card in enumerate(covered):
            chip(canvas, box.x + width + 5 + index * (CHIP_WIDTH + 1.5), y, card)
