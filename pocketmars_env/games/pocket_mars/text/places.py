"""The cards on the table in words, by place."""

from typing import Any

from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.seat_view.sight import SeenCard, SeenTable


def places_of(table: SeenTable) -> list[tuple[str, list[str]]]:
    """The places of cards on the table, each with its cards in words, the top one first."""
    found = [(name, names(pile)) for name, pile in zip(BUILDING_NAMES, table.piles, strict=True)]
    if table.under:
        found.append((f"Deck, {table.under_title}", names(reversed(table.under))))
    found.append(("Discard pile", names(table.discard)))
    found += [(name.capitalize(), names(cards)) for name, cards in table.cards_of_action()]
    for seat in table.seats:
        found.append((f"Prep module of {seat.name}", names(card for card in seat.prep if card is not None)))
    return [(place, cards) for place, cards in found if cards]


def names(cards: Any) -> list[str]:
    """Names in the opposite order: what lies on top first."""
    return [name_of(card) for card in reversed(list(cards))]


def name_of(card: SeenCard) -> str:
    return card.name if card.is_open else f"{card.name}, face down"
