"""Seat views: positions as one seat sees them, or with all cards outside the decks shown.

Pictures, texts and the log are made from seat views.
"""

from dataclasses import dataclass

from pocketmars_env.games.project_mars.rules.constants import LANES

Card = int | None
"""A card type, or None for a card that the viewpoint does not know."""


@dataclass(frozen=True)
class PlacedCard:
    """A card in a slot.

    Attributes:
        card: the type of the card.
        owner: the seat that owns the card; the enemy's cards on a seat's field are traps.
        power: the current power (PWR); 0 for a trap on the field of its owner's enemy.
        bonus: the PWR added by one-time effects; it does not count while the card is zeroed or disabled.
        is_zeroed: whether an effect has set the PWR to 0.
        is_disabled: whether an effect has disabled the card, so that it has PWR 0 and its own effect does not
            work.
        works: whether the card lies in the row of its category and is neither disabled nor a trap, so that
            its effect, if any, works.

    """

    card: int
    owner: int
    power: int
    bonus: int
    is_zeroed: bool
    is_disabled: bool
    works: bool


@dataclass(frozen=True)
class SideView:
    """One seat's field, cards and results, as seen from a viewpoint.

    Attributes:
        seat: the number of the seat.
        name: the name of the seat, such as ``"player_0"``.
        field: the card in each slot, at index row × 4 + lane (row 0 is the top row); None for an empty slot.
        hand: the type of each card in hand that the viewpoint knows, in ascending order, then None for each
            other card in hand.
        revealed: the types of the cards in hand that both players know.
        back_hand: the cards from the previous round's hand that the seat has not kept so far, listed like
            `hand`; empty except at KEEP.
        aside: the cards traded in the current mulligan or set aside for Research Station, listed like `hand`.
        deck_size: the number of cards in the deck.
        junkyard: the type of each card in the junkyard, in ascending order.
        decklist: the type of each card in the deck list, in ascending order.
        utility: the seat's UTILITY card whose effect is being carried out, or None.
        has_used_utility: whether the seat has used a UTILITY card in this round.
        has_passed: whether the seat has passed in this round.
        wins: the number of rounds won.
        tpr: the TPR (total power rating) that the seat would have if the round ended now.

    """

    seat: int
    name: str
    field: tuple[PlacedCard | None, ...]
    hand: tuple[Card, ...]
    revealed: tuple[int, ...]
    back_hand: tuple[Card, ...]
    aside: tuple[Card, ...]
    deck_size: int
    junkyard: tuple[int, ...]
    decklist: tuple[int, ...]
    utility: int | None
    has_used_utility: bool
    has_passed: bool
    wins: int
    tpr: int

    def column(self, lane: int) -> tuple[PlacedCard | None, PlacedCard | None]:
        """Return the contents of the two slots in a lane, top first."""
        return self.field[lane], self.field[lane + LANES]

    def column_power(self, lane: int) -> int:
        """Return the total PWR of the seat's own cards in a lane."""
        return sum(placed.power for placed in self.column(lane) if placed and placed.owner == self.seat)


@dataclass(frozen=True)
class SeatView:
    """A position as seen from a viewpoint.

    Attributes:
        viewpoint: the seat whose knowledge is shown; None if the hidden cards of both seats are shown.
        mode: the source of the decks; see `DuelConfig`.
        round: the number of the current round or, when the game is over, of the last round: 1, 2 or 3.
        over: whether the game is over.
        to_play: the seat to play; None at the end of a round and when the game is over.
        decision: the name of the current decision; None at the end of a round and when the game is over.
        turn_seat: the seat whose turn it is; None at MULLIGAN and KEEP and when the game is over.
        has_gas: whether Toxic Gas has been used in this round.
        results: for each finished round, the TPR of seats 0 and 1.
        lanes: for each lane, the seat that would win it if the round ended now; None if neither would.
        left: at MULLIGAN, the number of trades left; at DISCARD, the number of enemy BUILDINGs minus the
            discards so far; at TARGET for Sinkhole, the number of BUILDINGs still to destroy; otherwise 0.
        effect: a tuple of the card whose effect causes the decision, the seat that played the card, and the
            card's slot (None for a UTILITY card); None at MULLIGAN, KEEP and TURN, and when the game is over.
            At TRAP and COME_BACK, the card is the triggered trap, and the slot is the one from which it was
            removed, on the field of its owner's enemy.
        sides: the `SideView` of each seat, in the order of the seat numbers.

    """

    viewpoint: int | None
    mode: str
    round: int
    over: bool
    to_play: int | None
    decision: str | None
    turn_seat: int | None
    has_gas: bool
    results: tuple[tuple[int, ...], ...]
    lanes: tuple[int | None, ...]
    left: int
    effect: tuple[int, int, int | None] | None
    sides: tuple[SideView, SideView]

    @property
    def near(self) -> SideView:
        """The side at the lower edge of the picture: the viewpoint's or, without one, that of seat 0."""
        return self.sides[self.viewpoint or 0]

    @property
    def far(self) -> SideView:
        """The side at the upper edge of the picture."""
        return self.sides[1 - self.near.seat]

    @property
    def shown_hands(self) -> tuple[SideView, ...]:
        """The sides whose complete hands are shown; the upper one first if both are."""
        return (self.near,) if self.viewpoint is not None else (self.far, self.near)
