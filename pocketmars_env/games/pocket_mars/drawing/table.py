"""Draws the table as a picture."""

from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.pixels import Pixels, picture_pixels
from pocketmars_env.core.svg.themes import Theme, theme_named
from pocketmars_env.games.pocket_mars.drawing.buildings import BUILDING_HEIGHT, draw_building
from pocketmars_env.games.pocket_mars.drawing.hand import draw_hand, hand_height
from pocketmars_env.games.pocket_mars.drawing.seats import SEAT_HEIGHT, draw_seat
from pocketmars_env.games.pocket_mars.drawing.status import STATUS_HEIGHT, draw_status
from pocketmars_env.games.pocket_mars.drawing.supply import draw_supply
from pocketmars_env.games.pocket_mars.rules.constants import NUM_SUITS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.seat_view.see import ResumeState, see
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.text.seat_view_text import card_list_text, headline, title

MARGIN = 10
GAP = 8
HEADING_HEIGHT = 22
SUPPLY_WIDTH = 160


def table_svg(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str = "light",
    resume_state: ResumeState | None = None,
) -> str:
    """Returns the table as an SVG picture, 1000 pixels wide.

    Args:
        snapshot: a result of `Game.snapshot`.
        viewpoint: the seat whose knowledge is shown; None shows all cards outside the deck.
        theme: ``"light"`` or ``"dark"``.
        resume_state: the resume state of the same position. With it, the picture also shows information that
            the snapshot lacks, such as the effect being resolved, the drawn cards held apart from the hand,
            and whether the game was truncated.

    Returns:
        The SVG document, without references to external files, fonts or pages.

    Raises:
        ValueError: if an argument is invalid; the message lists what is accepted.

    """
    return table_picture(snapshot, viewpoint, theme, resume_state).svg()


def table_pixels(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str = "light",
    resume_state: ResumeState | None = None,
) -> Pixels:
    """Returns the table as pixels; the arguments are those of `table_svg`.

    Returns:
        ``(height, 1000, 3)`` uint8, RGB. The height is constant during a game.

    Raises:
        ModuleNotFoundError: if the extra ``render`` is not installed.
        ValueError: if an argument is invalid; the message lists what is accepted.

    """
    return picture_pixels(table_picture(snapshot, viewpoint, theme, resume_state))


def table_picture(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str | Theme = "light",
    resume_state: ResumeState | None = None,
) -> Picture:
    """Returns a `Picture` of the table; unlike in `table_svg`, `theme` can also be a `Theme`."""
    view = see(snapshot, viewpoint, resume_state)
    return draw_table(view, theme_named(theme) if isinstance(theme, str) else theme)


def draw_table(view: SeatView, theme: Theme) -> Picture:
    heading = Box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEADING_HEIGHT)
    status = Box(MARGIN, heading.bottom + GAP, heading.width, STATUS_HEIGHT)
    buildings = Box(MARGIN, status.bottom + GAP, heading.width - SUPPLY_WIDTH - GAP, BUILDING_HEIGHT)
    supply = Box(buildings.right + GAP, buildings.y, SUPPLY_WIDTH, BUILDING_HEIGHT)
    seats = Box(MARGIN, buildings.bottom + GAP, heading.width, SEAT_HEIGHT)
    hand = Box(MARGIN, seats.bottom + GAP, heading.width, hand_height(view))

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
        canvas.text(box.right - 2, box.y + 16, card_list_text(view), 13, canvas.theme.faint, "end")
