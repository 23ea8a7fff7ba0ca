"""Draws the status panel: the prompt or the result, details, and the cards of the current action."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import SMALL_HEIGHT, SMALL_WIDTH, small_card
from pocketmars_env.games.pocket_mars.drawing.colonists import colonist
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView
from pocketmars_env.games.pocket_mars.text.seat_view_text import details, headline

STATUS_HEIGHT = 62
CARDS_WIDTH = 60
"""Width in pixels that is reserved for the title of a group of small cards."""


def draw_status(canvas: Canvas, box: Box, view: SeatView) -> None:
    theme = canvas.theme
    line = theme.line if view.over else theme.highlight
    is_heading = not view.cards_of_action()
    with canvas.panel(box, theme.panel, line, 1 if view.over else 2, is_heading=is_heading):
        x = box.x + 12
        words = details(view)
        # a headline without details is centered vertically
        y = box.y if words else box.y + 11
        for number in view.winners if view.over else (view.to_play,):
            if number is not None:
                colonist(canvas, x, y + 9, view.seats[number], 20)
                x += 25
        canvas.text(x + 2, y + 25, headline(view), 16, is_bold=True)
        left = draw_groups(canvas, box, view)
        canvas.paragraph(box.x + 12, box.y + 43, words, 12, left - box.x - 24, theme.faint)


def draw_groups(canvas: Canvas, box: Box, view: SeatView) -> float:
    """Draw the current action's cards in titled groups, and return the x coordinate of their left edge."""
    x = box.right
    for title, cards in view.cards_of_action():
        x -= len(cards) * (SMALL_WIDTH + 5) + 5
        for place, card in enumerate(cards):
            left = x + place * (SMALL_WIDTH + 5)
            small_card(canvas, left, box.y + (box.height - SMALL_HEIGHT) / 2, card)
        canvas.text(x - 6, box.y + 35, title, 12, canvas.theme.faint, "end")
        x -= CARDS_WIDTH
    return x
