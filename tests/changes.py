"""Describe all differences between two snapshots, so that a test can check that nothing else changed."""

from typing import Any

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, NUM_BUILDINGS

Changes = dict[str, str | int]


def changes(before: dict[str, Any], game: Game) -> Changes:
    """Return the differences between the snapshot `before` and the current game.

    A key is either a card name, with a value such as ``"hand of 0 → discard"``, or a count of a seat, such
    as ``"ship of 0"`` or ``"★ Aqualab of 1"``, with the difference. Cards that stay in the deck, the discard
    pile or a Building's pile must keep their order there, and new cards must come after them: under the
    deck, or on top of a pile.
    """
    after = game.snapshot()
    check_orders(before, after)
    old_places, new_places = places(before), places(after)
    found: Changes = {
        card: f"{old_places[card]} → {place}"
        for card, place in new_places.items()
        if place != old_places[card]
    }
    old_counts = counts(before)
    for name, count in counts(after).items():
        if count != old_counts[name]:
            found[name] = count - old_counts[name]
    return found


def places(snapshot: dict[str, Any]) -> dict[str, str]:
    """Map each card name to the card's place; a pile is always that of the card's own Building."""
    found = {}
    for zone, name in (("deck", "deck"), ("discard", "discard"), ("in_play", "in play")):
        found.update(dict.fromkeys(snapshot[zone], name))
    for pile in snapshot["piles"]:
        found.update({card: "pile" if is_face_up else "pile, face down" for card, is_face_up in pile})
    for number, seat in enumerate(snapshot["seats"]):
        found.update(dict.fromkeys(seat["hand"], f"hand of {number}"))
        found.update({card: f"slot {slot} of {number}" for slot, card in enumerate(seat["prep"])})
    return {card.name: found[number] for number, card in enumerate(CARDS)}


def counts(snapshot: dict[str, Any]) -> dict[str, int]:
    """Return the number of colonists of each seat in each place, and its energy."""
    found = {}
    for number, seat in enumerate(snapshot["seats"]):
        for name in ("earth", "ship", "energy"):
            found[f"{name} of {number}"] = seat[name]
        for building in range(NUM_BUILDINGS):
            found[f"★ {BUILDING_NAMES[building]} of {number}"] = seat["star"][building]
            found[f"★★ {BUILDING_NAMES[building]} of {number}"] = seat["star2"][building]
    return found


def check_orders(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Check that the remaining cards keep their order and that new cards come after them."""
    old_piles = [[card for card, _ in pile] for pile in before["piles"]]
    new_piles = [[card for card, _ in pile] for pile in after["piles"]]
    old_zones = [before["deck"], before["discard"], *old_piles]
    new_zones = [after["deck"], after["discard"], *new_piles]
    for old, new in zip(old_zones, new_zones, strict=True):
        staying = [card for card in old if card in new]
        assert new[: len(staying)] == staying
