"""The line that says what is asked, of whom, and which cards are being resolved."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.games.pocket_mars.drawing.cards import SMALL_HEIGHT, SMALL_WIDTH, small_card
from pocketmars_env.games.pocket_mars.drawing.colonists import colonist
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenTable
from pocketmars_env.games.pocket_mars.text.table_words import details, headline

STATUS_HEIGHT = 62
CARDS_WIDTH = 60
"""Of a title beside small cards."""


def draw_status(canvas: Canvas, box: Box, table: SeenTable) -> None:
    theme = canvas.theme
    line = theme.line if table.over else theme.highlight
    with canvas.panel(box, theme.panel, line, 1 if table.over else 2):
        x = box.x + 12
        words = details(table)
        # alone, the headline stands in the middle
        y = box.y if words else box.y + 11
        for number in table.winners if table.over else (table.asked_seat,):
            if number is not None:
                colonist(canvas, x, y + 9, table.seats[number], 20)
                x += 25
        canvas.text(x + 2, y + 25, headline(table), 16, is_bold=True)
        left = draw_groups(canvas, box, table)
        canvas.paragraph(box.x + 12, box.y + 43, words, 12, left - box.x - 24, theme.faint)


def draw_groups(canvas: Canvas, box: Box, table: SeenTable) -> float:
    """The cards in play, held apart and picked, from the right edge on. Returns where they begin."""
    x = box.right
    for title, cards in table.cards_of_action():
        x -= len(cards) * (SMALL_WIDTH + 5) + 5
        for place, card in enumerate(cards):
            left = x + place * (SMALL_WIDTH + 5)
            small_card(canvas, left, box.y + (box.height - SMALL_HEIGHT) / 2, card)
        canvas.text(x - 6, box.y + 35, title, 12, canvas.theme.faint, "end")
        x -= CARDS_WIDTH
    return x
