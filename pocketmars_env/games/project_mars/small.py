"""Small games: one round with small decks, hands and fields, no mulligan, and a fixed pool of deals.

They are small enough to compute optimal strategies; `docs/small_games.md` lists their sizes and values. A
state record stores what a small game lacks, so all these fields are 0 in the full game.
"""

from dataclasses import dataclass

import numpy as np

from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.project_mars.rules.cards import CARD_NUMBER, NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import HAND_LIMIT, LANES, SLOTS


@dataclass(frozen=True)
class SmallGame:
    """A small game.

    Attributes:
        decks: the names of the cards in each seat's deck.
        hands: the number of cards that each seat draws.
        lanes: the number of lanes in which cards can be placed, from the first.
        log2_deals: the binary logarithm of the number of deals in the pool. Deal `i` has the seed `i`; any
            other seed selects the deal with the number that its lowest bits form.

    """

    decks: tuple[tuple[str, ...], tuple[str, ...]]
    hands: tuple[int, int]
    lanes: int
    log2_deals: int

    @property
    def deals(self) -> int:
        """The number of deals in the pool."""
        return 1 << self.log2_deals

    @property
    def decklists(self) -> list[tuple[int, ...]]:
        """The deck of each seat, as type numbers in ascending order."""
        return [tuple(sorted(CARD_NUMBER[name] for name in deck)) for deck in self.decks]

    def write(self, states: States) -> None:
        """Write the decks, and what the game lacks, into `STATE` records."""
        states["missing_slots"] = sum(1 << slot for slot in range(SLOTS) if slot % LANES >= self.lanes)
        states["log2_deals"] = self.log2_deals
        for seat, deck in enumerate(self.decklists):
            states["seats"]["fewer_cards"][:, seat] = HAND_LIMIT - self.hands[seat]
            states["seats"]["decklist"][:, seat] = np.bincount(deck, minlength=NUM_TYPES)


def mirrored(deck: str, hand: int, lanes: int, log2_deals: int) -> SmallGame:
    """Return a small game with the same deck, given as a list of names, and the same hand for both seats."""
    cards = tuple(deck.split(", "))
    return SmallGame((cards, cards), (hand, hand), lanes, log2_deals)


SMALL_GAMES: dict[str, SmallGame] = {
    "skirmish": mirrored("Infantry, Strike Team, Spy, Defense System", 2, 1, 6),
    "ambush": mirrored(
        "Medic, Infantry, Strike Team, Spy, Defense System, Ballistic Missiles, Toxic Gas", 2, 1, 9
    ),
    "siege": mirrored(
        "Scout, Medic, Defense System, Defense System, Ballistic Missiles, Top Secret Information, Toxic Gas",
        3, 1, 11,
    ),
    "campaign": mirrored(
        "Medic, Infantry, Strike Team, Spy, Defense System, Ballistic Missiles, Toxic Gas", 3, 1, 10
    ),
}  # fmt: skip
"""The small games by name. A state record contains the game's place in this table, counted from 1."""
NAMES = tuple(SMALL_GAMES)
