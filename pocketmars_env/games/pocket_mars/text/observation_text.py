"""The names of the observation entries."""

from pocketmars_env.core import layout
from pocketmars_env.games.pocket_mars.observation.layout import CARD_PLACES
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import Decision


def entry_name(piece: str, place: tuple[int, ...]) -> str:
    """Return the name of an observation entry, such as "Comms 1: own hand"."""
    if piece == "cards":
        return f"{CARDS[place[0]].name}: {CARD_PLACES[place[1]]}"
    if piece == "decision":
        return f"decision {Decision(place[0]).name}"
    return layout.entry_name(piece, place)
