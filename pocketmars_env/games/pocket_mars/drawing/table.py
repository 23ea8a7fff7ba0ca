"""The whole table as a picture."""

from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.pixels import Pixels, picture_pixels
from pocketmars_env.core.svg.themes import Theme, theme_named
from pocketmars_env.games.pocket_mars.drawing.buildings import BUILDING_HEIGHT, draw_building
from pocketmars_env.games.pocket_mars.drawing.hand import draw_hand, hand_height
from pocketmars_env.games.pocket_mars.drawing.seats import SEAT_HEIGHT, draw_seat
from pocketmars_env.games.pocket_mars.drawing.status import STATUS_HEIGHT, draw_status
from pocketmars_env.games.pocket_mars.drawing.supply import draw_supply
from pocketmars_env.games.pocket_mars.rules.constants import NUM_SUITS
from pocketmars_env.games.pocket_mars.seat_view.seeing import Bookmark, see
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenTable
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.text.table_words import headline, sight_in_words, title

MARGIN = 10
GAP = 8
HEADING_HEIGHT = 22
SUPPLY_WIDTH = 160


def table_svg(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str = "light",
    bookmark: Bookmark | None = None,
) -> str:
    """The table as an SVG picture, 1000 pixels wide.

    Args:
        snapshot: what `Game.snapshot` gave.
        viewpoint: a seat: only what it knows is shown; None shows all cards.
        theme: ``"light"`` or ``"dark"``.
        bookmark: what `Game.bookmark` gave at the same time; with it the picture also shows which
            action is being resolved, the cards held apart, and whether the game was cut off.

    Returns:
        The SVG document. It refers to no file, font or page outside.

    Raises:
        ValueError: says what is wrong with an argument, and what is accepted.

    """
    return table_picture(snapshot, viewpoint, theme, bookmark).svg()


def table_pixels(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str = "light",
    bookmark: Bookmark | None = None,
) -> Pixels:
    """The table as pixels: those of `table_svg`, which explains the arguments.

    Returns:
        ``(height, 1000, 3)`` uint8, RGB. In a game the height is always the same.

    Raises:
        ModuleNotFoundError: if the extra ``render`` is not installed; says how to install it.
        ValueError: says what is wrong with an argument, and what is accepted.

    """
    return picture_pixels(table_picture(snapshot, viewpoint, theme, bookmark))


def table_picture(
    snapshot: Snapshot,
    viewpoint: int | None = None,
    theme: str | Theme = "light",
    bookmark: Bookmark | None = None,
) -> Picture:
    """The table as a picture, panel by panel; the arguments are those of `table_svg`."""
    table = see(snapshot, viewpoint, bookmark)
    return draw_table(table, theme_named(theme) if isinstance(theme, str) else theme)


def draw_table(table: SeenTable, theme: Theme) -> Picture:
    """What a viewpoint sees, as a picture."""
    heading = Box(MARGIN, MARGIN, WIDTH - 2 * MARGIN, HEADING_HEIGHT)
    status = Box(MARGIN, heading.bottom + GAP, heading.width, STATUS_HEIGHT)
    buildings = Box(MARGIN, status.bottom + GAP, heading.width - SUPPLY_WIDTH - GAP, BUILDING_HEIGHT)
    supply = Box(buildings.right + GAP, buildings.y, SUPPLY_WIDTH, BUILDING_HEIGHT)
    seats = Box(MARGIN, buildings.bottom + GAP, heading.width, SEAT_HEIGHT)
    hand = Box(MARGIN, seats.bottom + GAP, heading.width, hand_height(table))

    canvas = Canvas(theme)
    draw_heading(canvas, heading, table)
    draw_status(canvas, status, table)
    for building, box in enumerate(buildings.columns(NUM_SUITS, GAP)):
        draw_building(canvas, box, table, building)
    draw_supply(canvas, supply, table)
    for seat, box in zip(table.seats, seats.columns(len(table.seats), GAP), strict=True):
        draw_seat(canvas, box, table, seat)
    draw_hand(canvas, hand, table)
    words = f"Pocket Mars. {title(table)}. {headline(table)}"
    return canvas.picture(WIDTH, round(hand.bottom + MARGIN), words)


def draw_heading(canvas: Canvas, box: Box, table: SeenTable) -> None:
    with canvas.panel(box, "none"):
        width = canvas.text(box.x + 2, box.y + 16, "Pocket Mars", 17, is_bold=True)
        canvas.text(box.x + width + 18, box.y + 16, title(table), 13)
        canvas.text(box.right - 2, box.y + 16, sight_in_words(table), 13, canvas.theme.faint, "end")
