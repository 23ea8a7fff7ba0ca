"""What a viewpoint sees of the table. All pictures are drawn from this, so none can show more.

A hidden card keeps only its suit, which its back shows; the deck only its size, its top card's suit, and
the cards at its bottom that were put there. Cards without an order among them are listed by suit, the
known ones first.
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
"""Of a card that lies face down on a pile (ruling R-FACEDOWN)."""


def suit_of(card: int) -> int:
    return int(CARDS[card].suit)


@dataclass(frozen=True)
class SeenCard:
    """A card as the viewpoint sees it.

    Attributes:
        suit: 0..4, which the back shows too.
        card: its number, or None if the viewpoint does not know which card it is.
        is_open: whether its face can be seen where it lies, and not just remembered.

    """

    suit: int
    card: int | None
    is_open: bool

    @property
    def label(self) -> str:
        """The value, of a Habitation card its letter; ``"?"`` if unknown."""
        return "?" if self.card is None else CARDS[self.card].name.split()[-1]

    @property
    def name(self) -> str:
        """The card's name, or what is known of it."""
        if self.card is not None:
            return CARDS[self.card].name
        suit = BUILDING_NAMES[self.suit]
        return f"{'an' if suit[0] in 'AE' else 'a'} {suit} card"

    @property
    def text(self) -> str:
        """The card's name and both halves in words, or what is known of it."""
        return self.name if self.card is None else card_text(self.card)


@dataclass(frozen=True)
class SeenSeat:
    """A seat as the viewpoint sees it; the fields are those of the snapshot.

    `hand` does not hold the cards that `SeatView.drawn` shows; `packet` is empty but in a draft. `pending`
    has the choices of the setup, which then are in neither; it is empty if the viewpoint may not see them.
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
        """Colonists in Buildings."""
        return sum(self.star) + sum(self.star2)

    @property
    def mark(self) -> str:
        """What is written on the seat's colonists."""
        return "DA" if self.is_da else str(self.number)


@dataclass(frozen=True)
class SeatView:
    """The table as the viewpoint sees it; fields not explained are those of the snapshot.

    Attributes:
        viewpoint: the seat whose knowledge counts, or None: all cards are seen.
        focus: the seat whose cards are shown with their texts.
        starting_seat: None during the setup, in which nobody knows it.
        handicap: points in the score of Devious Automatics that it was given.
        deck: cards in the deck.
        deck_top: the suit on the back of its top card, or None if it is empty.
        under: its lowest cards, which were put there since it was shuffled, the upper ones first.
        drawn: cards drawn for "keep one" and held apart; empty without a resume state.
        played: the card played from a prep module in this action, if a resume state tells.
        picked: the card chosen first for a swap, if a resume state tells and it is the viewpoint's choice.
        resolving: which half or ability is carried out, in words; empty without a resume state.
        is_truncated: whether the round limit ended the game, if a resume state tells.
        winners: the winning seats of a finished game.

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
        """Whether somebody has all colonists in Buildings."""
        return any(seat.settled == COLONISTS for seat in self.seats)

    @property
    def places_on_star2(self) -> int:
        """Colonists that ★★ of a Building holds, of all seats together."""
        return 1 if self.players <= 2 else 2

    @property
    def under_title(self) -> str:
        """The places of `under`, counted from the top of the deck, such as "cards 7 to 9"."""
        first = self.deck - len(self.under) + 1
        return f"card {first}" if len(self.under) == 1 else f"cards {first} to {self.deck}"

    def value_to_beat(self, building: int) -> int | None:
        """The value that the next card at a Building must exceed; None for Habitation."""
        if building == Building.HABITATION:
            return None
        if not self.piles[building]:
            return BUILDING_VALUE
        top = self.piles[building][-1]
        return CARDS[top.card].value if top.is_open and top.card is not None else VALUE_FACE_DOWN

    def cards_in_focus(self) -> list[tuple[str, SeenCard]]:
        """The cards of the seat in focus, each with the name of its place."""
        seat = self.seats[self.focus]
        drawn = self.drawn if self.to_play == self.focus else ()
        places = (
            ("prep module", seat.prep),
            ("chosen", seat.pending),
            ("packet", seat.packet),
            ("kept" if seat.packet else "hand", seat.hand),
            ("drawn", drawn),
        )
        return [(place, card) for place, cards in places for card in cards if card is not None]

    def cards_of_action(self) -> list[tuple[str, tuple[SeenCard, ...]]]:
        """The cards in play, held apart and picked, under these names, as far as there are any."""
        picked = () if self.picked is None else (SeenCard(suit_of(self.picked), self.picked, False),)
        groups = [("in play", self.in_play), ("drawn", self.drawn), ("picked", picked)]
        return [(name, cards) for name, cards in groups if cards]

    def deck_back(self) -> SeenCard | None:
        """The top card of the deck, which lies face down; None if the deck is empty."""
        if self.under and len(self.under) == self.deck:
            return self.under[0]
        return None if self.deck_top is None else SeenCard(self.deck_top, None, is_open=False)
