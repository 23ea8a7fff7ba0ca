"""Draws single cards: in a slot, in a known hand, or face down."""

from pocketmars_env.core.svg.canvas import Box, Canvas
from pocketmars_env.core.svg.font import width_of
from pocketmars_env.games.project_mars.rules.cards import CARDS
from pocketmars_env.games.project_mars.rules.constants import Category, Kind
from pocketmars_env.games.project_mars.seat_view.seat_view import PlacedCard
from pocketmars_env.games.project_mars.text.card_text import card_text, type_line

# These colors of the Okabe-Ito palette can be distinguished with all common types of color blindness. A
# letter on the card also shows the category.
CATEGORY_COLOURS = {Category.OFFENSE: "#e69f00", Category.GUARDIAN: "#56b4e9", Category.UTILITY: "#009e73"}
TRAP_COLOUR = "#cc79a7"
ON_COLOUR = "#111111"
"""The text color on `CATEGORY_COLOURS` and `TRAP_COLOUR`; the contrast ratio is at least 5.5 : 1."""
SEAT_COLOURS = ("#0072b2", "#d55e00")
BACK_WIDTH, BACK_HEIGHT = 14, 20


def colour_of(card: int) -> str:
    card_type = CARDS[card]
    return TRAP_COLOUR if card_type.kind == Kind.TRAP else CATEGORY_COLOURS[card_type.category]


def letter_of(card: int) -> str:
    """Return the letter that marks a card type: T for a trap, otherwise the first letter of its category."""
    card_type = CARDS[card]
    return "T" if card_type.kind == Kind.TRAP else card_type.category.name[0]


def fitting(text: str, size: float, most: float, is_bold: bool = False) -> float:
    """Return the largest font size up to `size` at which the text is at most `most` pixels wide."""
    return min(size, size * most / width_of(text, size, is_bold))


def placed_card(canvas: Canvas, box: Box, placed: PlacedCard, seat: int, is_ringed: bool) -> None:
    """Draw a card in a slot on the field of `seat`; if `is_ringed` is true, its border is highlighted."""
    theme, card_type = canvas.theme, CARDS[placed.card]
    line = theme.highlight if is_ringed else theme.line
    about = f"{card_type.name}: {type_line(placed.card)}. {card_text(placed.card)}"
    with canvas.panel(box, theme.paper, line, 2.5 if is_ringed else 1, radius=4, about=about):
        strip = Box(box.x + 2, box.y + 2, 26, box.height - 4)
        canvas.rectangle(strip, colour_of(placed.card), radius=3)
        canvas.text(strip.middle, box.y + 17, letter_of(placed.card), 12, ON_COLOUR, "middle", is_bold=True)
        canvas.text(strip.middle, box.y + 42, str(placed.power), 20, ON_COLOUR, "middle", is_bold=True)
        left, room = box.x + 34, box.width - 40
        canvas.text(left, box.y + 19, card_type.name, fitting(card_type.name, 14, room, True), is_bold=True)
        for number, mark in enumerate(marks_of(placed, seat)[:2]):
            canvas.text(left, box.y + 35 + 14 * number, mark, fitting(mark, 11.5, room), theme.faint)


def marks_of(placed: PlacedCard, seat: int) -> list[str]:
    """Return the notes on a card on the field of `seat`, such as "disabled", most important first."""
    if placed.owner != seat:
        return ["enemy trap"]
    marks = []
    if placed.is_disabled:
        marks.append("disabled")
    if placed.is_zeroed:
        marks.append("zeroed")
    if placed.bonus:
        marks.append(f"bonus +{placed.bonus}")
    if CARDS[placed.card].program and not placed.works and not placed.is_disabled:
        marks.append("no effect in this row" if CARDS[placed.card].kind != Kind.TRAP else "has come back")
    if placed.works and CARDS[placed.card].kind == Kind.CONTINUOUS:
        marks.append("effect works")
    return marks


def empty_slot(canvas: Canvas, box: Box) -> None:
    with canvas.panel(box, canvas.theme.panel, canvas.theme.line, radius=4, is_dashed=True):
        pass


def hand_card(canvas: Canvas, box: Box, card: int, count: int, revealed: int) -> None:
    """Draw a card type in a known hand, with its name, power (PWR), category, subtypes and text."""
    theme, card_type = canvas.theme, CARDS[card]
    with canvas.panel(box, theme.paper, theme.line):
        with canvas.panel(Box(box.x + 3, box.y + 3, box.width - 6, 22), colour_of(card), radius=4):
            name = card_type.name if count == 1 else f"{count} × {card_type.name}"
            size = fitting(name, 13, box.width - 44, True)
            canvas.text(box.x + 9, box.y + 18.5, name, size, ON_COLOUR, is_bold=True)
            power = "" if card_type.category == Category.UTILITY else str(card_type.power)
            canvas.text(box.right - 10, box.y + 19, power, 15, ON_COLOUR, "end", is_bold=True)
        words = type_line(card).partition(" · PWR")[0]
        if revealed:
            words += " · revealed" if revealed == count else f" · {revealed} revealed"
        canvas.text(box.x + 8, box.y + 38, words, fitting(words, 10.5, box.width - 16), theme.faint)
        canvas.paragraph(box.x + 8, box.y + 53, card_text(card), 11, box.width - 14)


def back(canvas: Canvas, x: float, y: float, seat: int) -> None:
    """Draw the back of a hidden card of `seat`, with its upper left corner at (`x`, `y`)."""
    with canvas.panel(Box(x, y, BACK_WIDTH, BACK_HEIGHT), SEAT_COLOURS[seat], canvas.theme.line, radius=2):
        pass
