"""Colours: themes, suits and seats. Suits and seats share the eight colours of Okabe and Ito, and a grey.

That palette is told apart with every common kind of colour blindness. Still colour is never the only
sign: each suit has a symbol, each seat a shape with its number.
"""

from dataclasses import dataclass

from pocketmars_env.engine.constants import Building


@dataclass(frozen=True)
class Theme:
    """The colours of everything that is neither a suit's nor a seat's.

    Attributes:
        background: behind the panels.
        panel: of a panel.
        paper: of a card's face, and of empty fields.
        line: of borders.
        ink: of texts.
        faint: of less important texts.
        highlight: around what is asked.

    """

    background: str
    panel: str
    paper: str
    line: str
    ink: str
    faint: str
    highlight: str


THEMES = {
    "light": Theme("#e9e6df", "#fbfaf7", "#ffffff", "#b9b4a8", "#1a1a1a", "#55534e", "#b3261e"),
    "dark": Theme("#14171b", "#20252b", "#2c333b", "#4a535e", "#f2f1ec", "#b4bac2", "#ffb4a9"),
}

ON_COLOUR = "#111111"
"""Ink on a suit's colour: at least 6 : 1 against each of them, in either theme."""

SUIT_COLOURS = {
    Building.GREENHOUSE: "#009e73",
    Building.AQUALAB: "#56b4e9",
    Building.ENERGY_BANK: "#e69f00",
    Building.COMMS_CENTER: "#cc79a7",
    Building.HABITATION: "#d2d2cc",
}


@dataclass(frozen=True)
class SeatColour:
    """The colour of a seat's colonists, and the ink of the number on them."""

    fill: str
    ink: str


SEAT_COLOURS = (
    SeatColour("#0072b2", "#ffffff"),
    SeatColour("#d55e00", "#000000"),
    SeatColour("#f0e442", "#000000"),
    SeatColour("#000000", "#ffffff"),
)
"""By seat; Devious Automatics has the last one."""


def theme_named(name: str) -> Theme:
    """A theme by its name.

    Raises:
        ValueError: names the themes that there are.

    """
    if name not in THEMES:
        raise ValueError(f"theme must be one of {', '.join(map(repr, THEMES))}, got {name!r}")
    return THEMES[name]
