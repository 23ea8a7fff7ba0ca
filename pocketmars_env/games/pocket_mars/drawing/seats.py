"""Draws a seat: points, colonists on Earth and on the Ship, energy, and cards (faces or backs)."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import SMALL_WIDTH, small_card
from pocketmars_env.games.pocket_mars.drawing.colonists import colonist
from pocketmars_env.games.pocket_mars.drawing.palette import ON_COLOUR, SUIT_COLOURS
from pocketmars_env.games.pocket_mars.drawing.symbols import GLOBE, ROCKET, SUIT_SYMBOLS
from pocketmars_env.games.pocket_mars.rules.constants import COLONISTS, MAX_ENERGY, Building
from pocketmars_env.games.pocket_mars.seat_view.seat_view import (
    SeatView,
    SeenCard,
    SeenSeat,
)
from pocketmars_env.games.pocket_mars.text.seat_view_text import badges, points_text

SEAT_HEIGHT = 196
EDGE = 9
CARD_STEP = SMALL_WIDTH + 3
GROUP_GAP = 12


def draw_seat(canvas: Canvas, box: Box, seat_view: SeatView, seat: SeenSeat) -> None:
    theme = canvas.theme
    is_to_play = seat.number == seat_view.to_play
    with canvas.panel(
        box, theme.panel, theme.highlight if is_to_play else theme.line, 2 if is_to_play else 1
    ):
        inner = Box(box.x + EDGE, box.y + 8, box.width - 2 * EDGE, box.height - 16)
        draw_heading(canvas, inner, seat, points_text(seat_view, seat, "points"))
        draw_badges(canvas, inner.x, inner.y + 26, badges(seat_view, seat.number))
        canvas.text(
            inner.right, inner.y + 38, f"settled {seat.settled} of {COLONISTS}", 11.5, theme.faint, "end"
        )
        earth, ship = Box(inner.x, inner.y + 47, inner.width, 26).columns(2, 6)
        draw_colonists(canvas, earth, "Earth", GLOBE, seat.earth, seat)
        draw_colonists(canvas, ship, "Ship", ROCKET, seat.ship, seat)
        draw_energy(canvas, Box(inner.x, inner.y + 79, inner.width, 22), seat.energy)
        draw_cards(canvas, Box(inner.x, inner.y + 109, inner.width, 70), seat)


def draw_heading(canvas: Canvas, inner: Box, seat: SeenSeat, unit: str) -> None:
    colonist(canvas, inner.x, inner.y, seat, 20)
    canvas.text(inner.x + 26, inner.y + 15, seat.name, 15, is_bold=True)
    width = canvas.text(inner.right, inner.y + 15, unit, 11.5, canvas.theme.faint, "end")
    canvas.text(inner.right - width - 5, inner.y + 17, str(seat.score), 20, anchor="end", is_bold=True)


def draw_badges(canvas: Canvas, x: float, y: float, words: list[str]) -> None:
    for word in words:
        fill = canvas.theme.highlight if word in ("to play", "wins") else canvas.theme.faint
        width = canvas.text(x, y + 12, word, 11.5, fill, is_bold=True)
        x += width + 9


def draw_colonists(canvas: Canvas, box: Box, title: str, path: str, count: int, seat: SeenSeat) -> None:
    theme = canvas.theme
    with canvas.panel(box, theme.paper, theme.line, radius=4):
        canvas.symbol(box.x + 6, box.y + 5, 16, path, theme.faint)
        canvas.text(box.x + 27, box.y + 17.5, title, 12, theme.faint)
        canvas.text(box.right - 32, box.y + 19, str(count), 16, anchor="end", is_bold=True)
        if count:
            colonist(canvas, box.right - 26, box.y + 4.5, seat)


def draw_energy(canvas: Canvas, box: Box, energy: int) -> None:
    """Draw the energy track, 0..7, filled up to the seat's energy, which is shown in bold."""
    canvas.symbol(box.x, box.y + 3, 16, SUIT_SYMBOLS[Building.ENERGY_BANK], canvas.theme.faint)
    track = Box(box.x + 19, box.y, box.width - 19, box.height)
    for step, cell in enumerate(track.columns(MAX_ENERGY + 1, 2)):
        is_filled = 0 < step <= energy
        is_marker = step == energy
        fill = SUIT_COLOURS[Building.ENERGY_BANK] if is_filled else canvas.theme.paper
        line = canvas.theme.ink if is_marker else canvas.theme.line
        with canvas.panel(cell, fill, line, 2 if is_marker else 1, radius=3):
            ink = ON_COLOUR if is_filled else canvas.theme.ink if is_marker else canvas.theme.faint
            size = 14 if is_marker else 12
            canvas.text(cell.middle, cell.y + 16, str(step), size, ink, "middle", is_marker)


def draw_cards(canvas: Canvas, box: Box, seat: SeenSeat) -> None:
    """Draw the prep module and the hand; during a draft, the kept cards, pending cards and the packet."""
    if seat.packet:
        x = draw_group(canvas, box.x, box, "kept", seat.hand)
        x = draw_group(canvas, x, box, "chosen", seat.pending)
        draw_group(canvas, x, box, "packet", seat.packet)
        return
    if seat.pending:
        x = draw_group(canvas, box.x, box, "chosen", seat.pending)
    else:
        x = draw_group(canvas, box.x, box, "prep module", seat.prep)
    if not seat.is_da:
        draw_group(canvas, x, box, "hand", seat.hand)


def draw_group(canvas: Canvas, x: float, box: Box, title: str, cards: tuple[SeenCard | None, ...]) -> float:
    """Draw a title above a row of small cards, if any; return the x coordinate of the next group."""
    if not cards:
        return x
    canvas.text(x, box.y + 10, title, 11.5, canvas.theme.faint)
    step = min(CARD_STEP, (box.right - x - SMALL_WIDTH) / max(1, len(cards) - 1))
    for index, card in enumerate(cards):
        small_card(canvas, x + index * step, box.y + 17, card)
    return x + len(cards) * step + GROUP_GAP
