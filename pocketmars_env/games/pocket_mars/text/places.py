"""The names of the cards on the table, by place."""

from typing import Any

from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenCard


def places_of(view: SeatView) -> list[tuple[str, list[str]]]:
    """Return the places that hold cards, with the names of their cards; in piles, the top card comes first.

    Hands, packets and cards chosen in the setup are omitted; of the deck, only the cards in `SeatView.under`
    are included.
    """
    found = [(name, names(pile)) for name, pile in zip(BUILDING_NAMES, view.piles, strict=True)]
    if view.under:
        found.append((f"Deck, {view.under_title}", names(reversed(view.under))))
    found.append(("Discard pile", names(view.discard)))
    found += [(name.capitalize(), names(cards)) for name, cards in view.cards_of_action()]
    for seat in view.seats:
        found.append((f"Prep module of {seat.name}", names(card for card in seat.prep if card is not None)))
    return [(place, cards) for place, cards in found if cards]


def names(cards: Any) -> list[str]:
    """Return the names of cards in reverse order, so that the top card comes first."""
    return [name_of(card) for card in reversed(list(cards))]


def name_of(card: SeenCard) -> str:
    return card.name if card.is_open else f"{card.name}, face down"
