"""SVG paths of the symbols for suits, places and colonists.

The symbols were drawn for this project, in a square of 24 by 24 units.
"""

from pocketmars_env.games.pocket_mars.rules.constants import Building

SUIT_SYMBOLS = {
    # a leaf, a drop of water, a lightning bolt, radio waves, a house
    Building.GREENHOUSE: (
        "M2.5 21.5C5 17 8 14 13 11C8 12.5 5.5 14.5 4 17C2 8 9 3 21.5 2.5C21.5 15 15 21.5 7 19L4.5 22.5Z"
    ),
    Building.AQUALAB: "M12 1.5C16 7.5 19.5 11.5 19.5 15.5A7.5 7.5 0 0 1 4.5 15.5C4.5 11.5 8 7.5 12 1.5Z",
    Building.ENERGY_BANK: "M14.5 1L4 14H11L9 23L20 9.5H12.8Z",
    Building.COMMS_CENTER: (
        "M3 15A6 6 0 0 1 9 21H3ZM3 8.5A12.5 12.5 0 0 1 15.5 21H12.3A9.3 9.3 0 0 0 3 11.7ZM3 2"
        "A19 19 0 0 1 22 21H18.8A15.8 15.8 0 0 0 3 5.2Z"
    ),
    Building.HABITATION: "M12 2L23 12H20V22H14V15H10V22H4V12H1Z",
}

ROCKET = "M12 1C16 5 17 9 17 14L20 18V23L15 19H9L4 23V18L7 14C7 9 8 5 12 1Z"
GLOBE = (
    "M12 1.5A10.5 10.5 0 0 0 1.6 11H7C7.2 7 9 3.5 12 1.5ZM1.6 13A10.5 10.5 0 0 0 12 22.5"
    "C9 20.5 7.2 17 7 13ZM12 1.5C15 3.5 16.8 7 17 11H22.4A10.5 10.5 0 0 0 12 1.5ZM22.4 13"
    "H17C16.8 17 15 20.5 12 22.5A10.5 10.5 0 0 0 22.4 13ZM9 11H15C14.8 8 13.8 5.5 12 4"
    "C10.2 5.5 9.2 8 9 11ZM9 13C9.2 16 10.2 18.5 12 20C13.8 18.5 14.8 16 15 13Z"
)
STAR = "M12 1.5L15.1 8.6L22.8 9.3L17 14.4L18.7 22L12 18L5.3 22L7 14.4L1.2 9.3L8.9 8.6Z"

SEAT_SHAPES = (
    "M12 1A11 11 0 0 1 12 23A11 11 0 0 1 12 1Z",  # a circle
    "M4 2H20A2 2 0 0 1 22 4V20A2 2 0 0 1 20 22H4A2 2 0 0 1 2 20V4A2 2 0 0 1 4 2Z",  # a square
    "M12 0.5L23.5 12L12 23.5L0.5 12Z",  # a diamond
    "M6 2H18L24 12L18 22H6L0 12Z",  # a hexagon
)
"""Colonist shapes by seat number; the last entry is also used for Devious Automatics."""
