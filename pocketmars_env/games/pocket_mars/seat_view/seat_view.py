"""Seat views: the table as seen from one viewpoint.

Pictures are drawn only from seat views, so they cannot show cards that are hidden from the viewpoint. For a
hidden card, a seat view contains only the suit, which is visible on the back. From viewpoint None, no cards
outside the deck are hidden. For the deck, a seat view contains only the size, the suit of the top card, and
the cards put under the deck. Cards without an order, such as those in a hand, are sorted by suit; within a
suit, known cards come first.
"""

from dataclasses import dataclass

from pocketmars_env.games.pocket_mars.rules.cards import CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    BUILDING_NAMES,
    BUILDING_VALUE,
    COLONISTS,
    Building,
)
from pocketmars_env.games.pocket_mars.text.card_text import card_text

VALUE_FACE_DOWN = 0
"""The value of a card that lies face down on a pile (ruling R-FACEDOWN)."""


def suit_of(card: int) -> int:
    return int(CARDS[card].suit)


@dataclass(frozen=True)
class SeenCard:
    """A card as seen from a viewpoint.

    Attributes:
        suit: the suit, 0..4, which is also visible on the back.
        card: the number of the card; None if the viewpoint does not know the card.
        is_open: whether the card is shown face up; True, for example, for a card in the discard pile and for
            a known card in the hand of the seat in focus. False for unknown cards, and for known cards that
            lie face down or are in another seat's hand.

    """

    suit: int
    card: int | None
    is_open: bool

    @property
    def label(self) -> str:
        """The value of the card, or the letter of a Habitation card; ``"?"`` if the card is unknown."""
        return "?" if self.card is None else CARDS[self.card].name.split()[-1]

    @property
    def name(self) -> str:
        """The name of the card, or a phrase such as ``"a Greenhouse card"`` if the card is unknown."""
        if self.card is not None:
            return CARDS[self.card].name
        suit = BUILDING_NAMES[self.suit]
        return f"{'an' if suit[0] in 'AE' else 'a'} {suit} card"

    @property
    def text(self) -> str:
        """The name and text of the card, or `name` if the card is unknown."""
        return self.name if self.card is None else card_text(self.card)


@dataclass(frozen=True)
class SeenSeat:
    """A seat as seen from a viewpoint; fields not described here have the same meaning as in a snapshot.

    `hand` does not include the cards in `SeatView.drawn`. `packet` is empty except during a draft. During the
    setup, `pending` contains the chosen cards that have not moved yet; `hand` and `packet` do not include
    them. If the viewpoint is another seat, `pending` is empty, and `hand` or `packet` includes the chosen
    cards. After the setup, `pending` is empty.
    """

    number: int
    name: str
    is_da: bool
    hand: tuple[SeenCard, ...]
    packet: tuple[SeenCard, ...]
    pending: tuple[SeenCard, ...]
    prep: tuple[SeenCard | None, ...]
    earth: int
    ship: int
    energy: int
    star: tuple[int, ...]
    star2: tuple[int, ...]
    score: int

    @property
    def settled(self) -> int:
        """The number of colonists in Buildings."""
        return sum(self.star) + sum(self.star2)

    @property
    def mark(self) -> str:
        """The label of the seat's colonists: the seat number, or "DA"."""
        return "DA" if self.is_da else str(self.number)


@dataclass(frozen=True)
class SeatView:
    """The table as seen from a viewpoint; fields not listed here have the same meaning as in a snapshot.

    Attributes:
        viewpoint: the seat whose knowledge is shown; None shows all cards outside the deck.
        focus: the seat whose cards are shown with their texts.
        starting_seat: the seat that begins every round; None during the setup, when it is hidden.
        to_play: the seat to play (`asked_seat` in the snapshot); None if the game is over, and between the
            phases that follow an action.
        handicap: points added to the score of Devious Automatics (DA).
        deck: number of cards in the deck.
        shuffles: number of shuffles since the deal, modulo 100.
        deck_top: the suit of the top card of the deck; None if the deck is empty.
        under: the cards that were put under the deck since its last shuffle and are still in it, topmost card
            first.
        drawn: the cards drawn and set aside for the effect "keep 1".
        played: the card played from a prep module in the current action; None if there is none.
        picked: the first card chosen for a swap of cards, until the second is chosen. None at other times,
            and also if the viewpoint may not see the card.
        resolving: text about the card or ability being resolved; empty if there is none.
        is_truncated: whether the round limit ended the game.
        winners: the winning seats; empty until the game is over.

    """

    viewpoint: int | None
    focus: int
    players: int
    mode: str
    edition: str
    level: str | None
    round: int
    starting_seat: int | None
    active_seat: int
    to_play: int | None
    decision: str | None
    over: bool
    handicap: int
    deck: int
    shuffles: int
    deck_top: int | None
    under: tuple[SeenCard, ...]
    discard: tuple[SeenCard, ...]
    in_play: tuple[SeenCard, ...]
    piles: tuple[tuple[SeenCard, ...], ...]
    seats: tuple[SeenSeat, ...]
    drawn: tuple[SeenCard, ...]
    played: int | None
    picked: int | None
    resolving: str
    is_truncated: bool
    winners: tuple[int, ...]

    @property
    def is_last_round(self) -> bool:
        """Whether any seat has all its colonists in Buildings."""
        return any(seat.settled == COLONISTS for seat in self.seats)

    @property
    def places_on_star2(self) -> int:
        """The number of ★★ places that all seats share in each Building."""
        return 1 if self.players <= 2 else 2

    @property
    def under_title(self) -> str:
        """Where the cards in `under` lie, such as "cards 7 to 9"; card 1 is the top card of the deck."""
        first = self.deck - len(self.under) + 1
        return f"card {first}" if len(self.under) == 1 else f"cards {first} to {self.deck}"

    def value_to_beat(self, building: int) -> int | None:
        """Return the value above which a card settles a colonist in a Building; None for Habitation."""
        if building == Building.HABITATION:
            return None
        if not self.piles[building]:
            return BUILDING_VALUE
        top = self.piles[building][-1]
        return CARDS[top.card].value if top.is_open and top.card is not None else VALUE_FACE_DOWN

    def cards_in_focus(self) -> list[tuple[str, SeenCard]]:
        """Return the cards of the seat in focus, each with the name of its zone, such as "hand"."""
        seat = self.seats[self.focus]
        drawn = self.drawn if self.to_play == self.focus else ()
        zones = (
            ("prep module", seat.prep),
            ("chosen", seat.pending),
            ("packet", seat.packet),
            ("kept" if seat.packet else "hand", seat.hand),
            ("drawn", drawn),
        )
        return [(zone, card) for zone, cards in zones for card in cards if card is not None]

    def cards_of_action(self) -> list[tuple[str, tuple[SeenCard, ...]]]:
        """Return the cards in play, drawn cards and the picked card as named groups; omit empty groups."""
        picked = () if self.picked is None else (SeenCard(suit_of(self.picked), self.picked, False),)
        groups = [("in play", self.in_play), ("drawn", self.drawn), ("picked", picked)]
        return [(name, cards) for name, cards in groups if cards]

    def deck_back(self) -> SeenCard | None:
        """Return the top card of the deck, which lies face down; None if the deck is empty."""
        if self.under and len(self.under) == self.deck:
            return self.under[0]
        return None if self.deck_top is None else SeenCard(self.deck_top, None, is_open=False)
