"""Small games: the same rules with fewer cards and colonists, and a fixed pool of deals.

They are small enough to compute optimal strategies; `docs/small_games.md` lists their sizes and values. A
state record stores what a small game lacks, so all these fields are 0 in the full game.
"""

from dataclasses import dataclass

from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules.cards import CARD_RANK, CARDS, CARDS_PER_SUIT
from pocketmars_env.games.pocket_mars.rules.constants import (
    COLONISTS,
    HAND_LIMIT,
    NUM_SUITS,
    ROUND_LIMIT_MULTI,
    START_ON_SHIP,
    Building,
)


@dataclass(frozen=True)
class SmallGame:
    """A small game for two players.

    Attributes:
        suits: the suits of the cards.
        ranks: for each of these suits, the cards 1..7 that are in the game, counted from 1 in the order of
            the card numbers; the rank of a card with a value is its value.
        hand: the number of cards of each player, 2..4.
        colonists: the number of colonists of each player, 2..7.
        ship: the number of these colonists that start on the Spaceship.
        rounds: the round limit.
        log2_deals: the binary logarithm of the number of deals in the pool. Deal `i` has the seed `i`; any
            other seed selects the deal with the number that its lowest bits form.

    """

    suits: tuple[Building, ...]
    ranks: tuple[int, ...]
    hand: int
    colonists: int
    ship: int
    rounds: int
    log2_deals: int

    @property
    def cards(self) -> list[int]:
        """The numbers of the cards in the game."""
        return [
            number
            for number, card in enumerate(CARDS)
            if card.suit in self.suits and CARD_RANK[number] + 1 in self.ranks
        ]

    @property
    def deals(self) -> int:
        """The number of deals in the pool."""
        return 1 << self.log2_deals

    def write(self, states: States) -> None:
        """Write what the game lacks into `STATE` records."""
        states["missing_suits"] = sum(1 << suit for suit in range(NUM_SUITS) if suit not in self.suits)
        states["missing_ranks"] = sum(
            1 << rank for rank in range(CARDS_PER_SUIT) if rank + 1 not in self.ranks
        )
        states["fewer_cards"] = HAND_LIMIT - self.hand
        states["fewer_colonists"] = COLONISTS - self.colonists
        states["log2_deals"] = self.log2_deals
        states["seats"]["more_on_ship"] = self.ship - START_ON_SHIP


GREENHOUSE, AQUALAB, ENERGY_BANK, COMMS_CENTER, HABITATION = Building
ALL_RANKS = (1, 2, 3, 4, 5, 6, 7)
SMALL_GAMES: dict[str, SmallGame] = {
    "pebble": SmallGame((ENERGY_BANK,), (2, 3, 4, 5, 6, 7), 2, 3, 1, rounds=1, log2_deals=6),
    "crater": SmallGame((ENERGY_BANK,), ALL_RANKS, 2, 3, 1, rounds=1, log2_deals=10),
    "canyon": SmallGame((COMMS_CENTER,), ALL_RANKS, 2, 2, 2, rounds=2, log2_deals=7),
    "olympus": SmallGame((GREENHOUSE,), ALL_RANKS, 2, 2, 2, rounds=2, log2_deals=9),
}
"""The small games by name. A state record contains the game's place in this table, counted from 1."""
NAMES = tuple(SMALL_GAMES)
FULL_GAME = SmallGame(
    tuple(Building),
    tuple(range(1, CARDS_PER_SUIT + 1)),
    HAND_LIMIT,
    COLONISTS,
    START_ON_SHIP,
    ROUND_LIMIT_MULTI,
    64,
)
"""The full game, whose pool contains the deals of all seeds."""
