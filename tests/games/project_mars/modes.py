"""Game modes of Project Mars: name → keyword arguments of `Game`."""

from typing import Any

from pocketmars_env.games.project_mars.rules.cards import STARTER_DECKS

MODES: dict[str, dict[str, Any]] = {
    "starter": {},
    "named": {"deck_0": "shadow", "deck_1": "fortress"},
    "same": {"mode": "same", "deck_0": "motor"},
    "random": {"mode": "random"},
    "constructed": {
        "mode": "constructed",
        "deck_0": [6] * 15 + [16] * 12 + [26, 26, 22],
        "deck_1": STARTER_DECKS["infantry"],
    },
}
