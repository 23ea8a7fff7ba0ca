"""Draws the table as a picture."""

from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.games.pocket_mars.drawing.buildings import BUILDING_HEIGHT, draw_building
from pocketmars_env.games.pocket_mars.drawing.hand import HAND_HEIGHT, draw_hand
from pocketmars_env.games.pocket_mars.drawing.seats import SEAT_HEIGHT, draw_seat
from pocketmars_env.games.pocket_mars.drawing.status import STATUS_HEIGHT, draw_status
from pocketmars_env.games.pocket_mars.drawing.supply import draw_supply
from pocketmars_env.games.pocket_mars.rules.constants import NUM_SUITS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.text.seat_view_text import headline, title, viewpoint_text

MARGIN = 10
GAP = 8
HEADING_HEIGHT = 22
SUPPLY_WIDTH = 160


def draw_table(view: SeatView, theme: Theme) -> Picture:
    heading = Box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEADING_HEIGHT)
    status = Box(MARGIN, heading.bottom + GAP, heading.width, STATUS_HEIGHT)
    buildings = Box(MARGIN, status.bottom + GAP, heading.width - SUPPLY_WIDTH - GAP, BUILDING_HEIGHT)
    supply = Box(buildings.right + GAP, buildings.y, SUPPLY_WIDTH, BUILDING_HEIGHT)
    seats = Box(MARGIN, buildings.bottom + GAP, heading.width, SEAT_HEIGHT)
    hand = Box(MARGIN, seats.bottom + GAP, heading.width, HAND_HEIGHT)

    canvas = Canvas(theme)
    draw_heading(canvas, heading, view)
    draw_status(canvas, status, view)
    for building, box in enumerate(buildings.columns(NUM_SUITS, GAP)):
        draw_building(canvas, box, view, building)
    draw_supply(canvas, supply, view)
    first = view.viewpoint or 0
    in_order = [*view.seats[first:], *view.seats[:first]]
    for seat, box in zip(in_order, seats.columns(len(view.seats), GAP), strict=True):
        draw_seat(canvas, box, view, seat)
    draw_hand(canvas, hand, view)
    words = f"Pocket Mars. {title(view)}. {headline(view)}"
    return canvas.picture(WIDTH, round(hand.bottom + MARGIN), words)


def draw_heading(canvas: Canvas, box: Box, view: SeatView) -> None:
    with canvas.panel(box, "none", is_heading=True):
        width = canvas.text(box.x + 2, box.y + 16, "Pocket Mars", 17, is_bold=True)
        canvas.text(box.x + width + 18, box.y + 16, title(view), 13)
        canvas.text(box.right - 2, box.y + 16, viewpoint_text(view), 13, canvas.theme.faint, "end")
