"""Colors of suits and seats: the eight colors of the Okabe-Ito palette, and a gray.

People with any common form of color blindness can distinguish these colors. Each suit also has a symbol,
and each seat also has a shape and a mark, so color is never the only cue.
"""

from dataclasses import dataclass

from pocketmars_env.games.pocket_mars.rules.constants import Building

ON_COLOUR = "#111111"
"""Text color on suit colors, with a contrast of at least 5.5 : 1 on every suit."""

SUIT_COLOURS = {
    Building.GREENHOUSE: "#009e73",
    Building.AQUALAB: "#56b4e9",
    Building.ENERGY_BANK: "#e69f00",
    Building.COMMS_CENTER: "#cc79a7",
    Building.HABITATION: "#d2d2cc",
}


@dataclass(frozen=True)
class SeatColour:
    """The colors of a seat's colonists (`fill`) and of the mark on them (`ink`)."""

    fill: str
    ink: str


SEAT_COLOURS = (
    SeatColour("#0072b2", "#ffffff"),
    SeatColour("#d55e00", "#000000"),
    SeatColour("#f0e442", "#000000"),
    SeatColour("#000000", "#ffffff"),
)
"""Colors by seat number; the last entry is also used for Devious Automatics."""
