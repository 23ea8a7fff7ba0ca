"""Draws a position as a picture: both fields, the lanes, a panel for each seat, and the known hands."""

from collections import Counter

from pocketmars_env.core.svg.canvas import WIDTH, Box, Canvas, Picture
from pocketmars_env.core.svg.font import width_of
from pocketmars_env.core.svg.themes import Theme
from pocketmars_env.games.project_mars.drawing.cards import (
    BACK_HEIGHT,
    BACK_WIDTH,
    SEAT_COLOURS,
    back,
    empty_slot,
    fitting,
    hand_card,
    placed_card,
)
from pocketmars_env.games.project_mars.rules.cards import CARDS, KIND
from pocketmars_env.games.project_mars.rules.constants import HAND_LIMIT, LANES, Kind
from pocketmars_env.games.project_mars.seat_view.seat_view import SeatView, SideView
from pocketmars_env.games.project_mars.seat_view.see import seat_name
from pocketmars_env.games.project_mars.text.seat_view_text import (
    cards_in_words,
    details,
    headline,
    title,
    viewpoint_text,
)

MARGIN, GAP = 10, 8
HEADING_HEIGHT, STATUS_HEIGHT = 22, 50
SIDE_WIDTH = 330
SLOT_HEIGHT, SLOT_GAP = 58, 6
LANE_HEIGHT = 40
FIELD_HEIGHT = 2 * SLOT_HEIGHT + SLOT_GAP
HAND_COLUMNS, CARD_HEIGHT = 5, 132
HAND_HEIGHT = 26 + (HAND_LIMIT // HAND_COLUMNS) * (CARD_HEIGHT + 6) + 6
ON_SEAT = ("#ffffff", "#000000")
"""For each seat, the text color on a background in the seat's color."""


def draw_battlefield(seat_view: SeatView, theme: Theme) -> Picture:
    canvas, width = Canvas(theme), WIDTH - 2 * MARGIN
    heading = Box(MARGIN, MARGIN, width, HEADING_HEIGHT)
    status = Box(MARGIN, heading.bottom + GAP, width, STATUS_HEIGHT)
    field = Box(
        MARGIN, status.bottom + GAP, width - SIDE_WIDTH - GAP, 2 * FIELD_HEIGHT + LANE_HEIGHT + 4 * SLOT_GAP
    )
    canvas.heading(heading, "Project Mars", title(seat_view), viewpoint_text(seat_view))
    draw_status(canvas, status, seat_view)
    draw_fields(canvas, field, seat_view)
    height = (field.height - GAP) / 2
    draw_side(canvas, Box(field.right + GAP, field.y, SIDE_WIDTH, height), seat_view, seat_view.far)
    draw_side(
        canvas, Box(field.right + GAP, field.y + height + GAP, SIDE_WIDTH, height), seat_view, seat_view.near
    )
    top = field.bottom + GAP
    for side in seat_view.shown_hands:
        draw_hand(canvas, Box(MARGIN, top, width, HAND_HEIGHT), side)
        top += HAND_HEIGHT + GAP
    words = f"Project Mars. {title(seat_view)}. {headline(seat_view)}"
    return canvas.picture(WIDTH, round(top - GAP + MARGIN), words)


def draw_status(canvas: Canvas, box: Box, seat_view: SeatView) -> None:
    """Draw the headline and, below it, any details, such as the effect being carried out."""
    with canvas.panel(box, canvas.theme.panel, canvas.theme.line):
        canvas.text(box.x + 10, box.y + 20, headline(seat_view), 15, is_bold=True)
        words = details(seat_view)
        if words:
            size = fitting(words, 12, box.width - 20)
            canvas.text(box.x + 10, box.y + 39, words, size, canvas.theme.faint)


# --- the fields ---------------------------------------------------------------------------------------


def draw_fields(canvas: Canvas, box: Box, seat_view: SeatView) -> None:
    """Draw both fields, with a box for each lane between them.

    They are split into two panels, because most moves change only one; each is stored and rasterized once.
    """
    for number, half in enumerate(box.columns(2, SLOT_GAP)):
        with canvas.panel(half, canvas.theme.panel, canvas.theme.line):
            columns = half.inset(SLOT_GAP).columns(LANES // 2, SLOT_GAP)
            for lane, column in enumerate(columns, start=number * LANES // 2):
                draw_column(canvas, column, seat_view, lane)


def draw_column(canvas: Canvas, box: Box, seat_view: SeatView, lane: int) -> None:
    """Draw the slots of both fields in a lane, and the lane's box between them."""
    top = box.y
    for part in ((seat_view.far, 1), (seat_view.far, 0), None, (seat_view.near, 0), (seat_view.near, 1)):
        height = SLOT_HEIGHT if part else LANE_HEIGHT
        cell = Box(box.x, top, box.width, height)
        if part:
            side, row = part
            draw_slot(canvas, cell, seat_view, side, row * LANES + lane)
        else:
            draw_lane(canvas, cell, seat_view, lane)
        top += height + SLOT_GAP


def draw_slot(canvas: Canvas, box: Box, seat_view: SeatView, side: SideView, slot: int) -> None:
    placed = side.field[slot]
    if placed is None:
        empty_slot(canvas, box)
    else:
        placed_card(canvas, box, placed, side.seat, is_in_effect(seat_view, side.seat, slot))


def is_in_effect(seat_view: SeatView, seat: int, slot: int) -> bool:
    """Return whether the effect of the card in a slot, or of the trap it triggered, is being carried out."""
    if seat_view.effect is None:
        return False
    card, owner, effect_slot = seat_view.effect
    return (seat, slot) == (1 - owner if KIND[card] == Kind.TRAP else owner, effect_slot)


def draw_lane(canvas: Canvas, box: Box, seat_view: SeatView, lane: int) -> None:
    """Draw the PWR of both columns in a lane, and the seat that would win the lane if the round ended now."""
    winner = seat_view.lanes[lane]
    fill = canvas.theme.background if winner is None else SEAT_COLOURS[winner]
    ink = canvas.theme.ink if winner is None else ON_SEAT[winner]
    with canvas.panel(box, fill, canvas.theme.line, radius=4):
        far, near = seat_view.far.column_power(lane), seat_view.near.column_power(lane)
        holder = "open" if winner is None else seat_name(winner)
        canvas.text(box.x + 8, box.y + 16, f"lane {lane + 1}", 12, ink)
        canvas.text(box.x + 8, box.y + 32, holder, 12, ink, is_bold=True)
        canvas.text(box.right - 10, box.y + 17, str(far), 15, ink, "end", is_bold=True)
        canvas.text(box.right - 10, box.y + 34, str(near), 15, ink, "end", is_bold=True)


# --- beside the fields --------------------------------------------------------------------------------


def draw_side(canvas: Canvas, box: Box, seat_view: SeatView, side: SideView) -> None:
    """Draw a side's panel, with its total power rating (TPR), rounds won, and cards outside the field."""
    theme = canvas.theme
    line, width = (theme.highlight, 2.5) if seat_view.to_play == side.seat else (theme.line, 1.0)
    with canvas.panel(box, theme.panel, line, width):
        canvas.rectangle(Box(box.x + 8, box.y + 8, 14, 14), SEAT_COLOURS[side.seat], radius=3)
        name = side.name + (" · has passed" if side.has_passed else "")
        canvas.text(box.x + 30, box.y + 20, name, 14, is_bold=True)
        rounds = "1 round" if side.wins == 1 else f"{side.wins} rounds"
        canvas.text(box.right - 10, box.y + 21, f"TPR {side.tpr} · {rounds}", 14, None, "end", is_bold=True)
        hidden = side.hand.count(None)
        y = box.y + 32
        for number in range(hidden):
            back(canvas, box.x + 10 + number * (BACK_WIDTH + 3), y, side.seat)
        offset = 10 + hidden * (BACK_WIDTH + 3)
        counts = [f"{len(side.hand)} in hand", f"{side.deck_size} in the deck"]
        canvas.text(box.x + offset + 4, y + BACK_HEIGHT - 5, " · ".join(counts), 12)
        lines = [("Revealed", cards_in_words(side.revealed))]
        if side.back_hand:
            lines.append(("Back hand", cards_in_words(side.back_hand)))
        if side.aside:
            lines.append(("Set aside", cards_in_words(side.aside)))
        utility = (
            CARDS[side.utility].name
            if side.utility is not None
            else "used"
            if side.has_used_utility
            else "free"
        )
        lines += [("Utility", utility), ("Junkyard", cards_in_words(side.junkyard))]
        baseline = y + BACK_HEIGHT + 16.0
        for label, words in lines:
            canvas.text(box.x + 10, baseline, label, 11.5, theme.faint)
            room = box.width - 92
            fitted = words if fitting(words, 11.5, 2.8 * room) == 11.5 else f"{words[:110]} …"
            baseline = canvas.paragraph(box.x + 82, baseline, fitted, 11.5, room) + 1


def hand_title(side: SideView) -> str:
    """Return the heading of a known hand or, between rounds, of the back hand (the cards not kept so far)."""
    if side.back_hand:
        return f"Back hand of {side.name} · kept for the next round: {cards_in_words(side.hand)}"
    return f"Hand of {side.name}"


def draw_hand(canvas: Canvas, box: Box, side: SideView) -> None:
    """Draw each card type in a known hand once, with its copies; between rounds, draw the back hand."""
    words = hand_title(side)
    width = min(box.width, max(SIDE_WIDTH, width_of(words, 13, True) + 4))
    with canvas.panel(Box(box.x, box.y, width, 24), "none"):
        canvas.text(box.x + 2, box.y + 18, words, fitting(words, 13, width - 2, True), is_bold=True)
    counts = Counter(card for card in side.back_hand or side.hand if card is not None)
    revealed = Counter(() if side.back_hand else side.revealed)
    columns = Box(box.x, 0, box.width, 0).columns(HAND_COLUMNS, 6)
    for number, (card, count) in enumerate(sorted(counts.items())):
        row, column = divmod(number, HAND_COLUMNS)
        cell = columns[column]
        top = box.y + 26 + row * (CARD_HEIGHT + 6)
        hand_card(canvas, Box(cell.x, top, cell.width, CARD_HEIGHT), card, count, revealed[card])
