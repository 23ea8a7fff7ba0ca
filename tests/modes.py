"""The game modes of Pocket Mars, by name, as keyword arguments of `Game`."""

from typing import Any

MODES: dict[str, dict[str, Any]] = {
    "two": {"players": 2},
    "three": {"players": 3},
    "four": {"players": 4},
    "two_board_and_dice": {"players": 2, "edition": "board_and_dice"},
    "two_draft": {"players": 2, "draft": True},
    "three_draft": {"players": 3, "draft": True},
    "four_draft_board_and_dice": {"players": 4, "draft": True, "edition": "board_and_dice"},
    "solo_standard": {"mode": "solo", "level": "standard"},
    "solo_super_droid": {"mode": "solo", "level": "super_droid"},
    "solo_cyborg": {"mode": "solo", "level": "cyborg"},
    "solo_draft": {"mode": "solo", "level": "cyborg", "draft": True},
    "solo_da_agent": {"mode": "solo", "level": "super_droid", "da_agent": True},
}
