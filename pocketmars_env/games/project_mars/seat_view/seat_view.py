"""Seat view: a position from one viewpoint. Pictures, texts and the log are made from seat views."""

from dataclasses import dataclass

from pocketmars_env.games.project_mars.rules.constants import LANES

Card = int | None
"""A card type, or None for a card that the viewpoint does not know."""


def slot_target(seat: int, slot: int) -> str:
    """The click target of a slot on a seat's field; see `Choice.targets`."""
    return f"slot:{seat}:{slot}"


@dataclass(frozen=True)
class PlacedCard:
    """A card in a slot.

    Attributes:
        card: the type of the card.
        owner: the seat that owns the card; an enemy's card on a field is a trap.
        power: the current PWR.
        bonus: the PWR that one-time effects have added.
        is_zeroed: whether an effect has set the PWR to 0.
        is_disabled: whether the card is disabled.
        works: whether the effect of the card works.

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
        field: the slots, in the order row × 4 + lane.
        hand: the type of each known card in hand, in ascending order, then None for each unknown card.
        revealed: the types of the cards in hand that both players know.
        back_hand: between rounds, the cards that the seat may keep, listed like `hand`.
        aside: the cards set aside, listed like `hand`.
        deck_size: the number of cards in the deck.
        junkyard: the type of each card in the junkyard, in ascending order.
        decklist: the type of each card in the deck list, in ascending order.
        utility: the UTILITY card whose effect is being carried out, or None.
        has_used_utility: whether the seat has used a UTILITY card in this round.
        has_passed: whether the seat has passed in this round.
        wins: the number of rounds won.
        tpr: the TPR if the round ended now.

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
        """The two slots of a lane, top first."""
        return self.field[lane], self.field[lane + LANES]

    def column_power(self, lane: int) -> int:
        """The PWR of the seat's own cards in a lane."""
        return sum(placed.power for placed in self.column(lane) if placed and placed.owner == self.seat)


@dataclass(frozen=True)
class SeatView:
    """A position from a viewpoint.

    Attributes:
        viewpoint: the seat whose knowledge is shown, or None for everything.
        mode: the source of the decks.
        to_play: the seat to play; None when the game is over.
        decision: the name of the current decision; None when the game is over.
        turn_seat: the seat whose turn it is; None outside turns.
        has_gas: whether Toxic Gas is in effect.
        results: the TPR of both seats in each finished round.
        lanes: for each lane, the seat that would win it if the round ended now, or None.
        left: the number of trades left or, for Sinkhole, of discards or targets left.
        effect: the card whose effect is being carried out, its seat, and its slot (None for a UTILITY card);
            None if no effect is being carried out.
        sides: the sides of both seats, by seat number.

    """

    viewpoint: int | None
    mode: str
    round: int
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
    def over(self) -> bool:
        """Whether the game is over."""
        return self.decision is None

    @property
    def near(self) -> SideView:
        """The side at the lower edge of the picture: the viewpoint's, or seat 0's if everything is shown."""
        return self.sides[self.viewpoint or 0]

    @property
    def far(self) -> SideView:
        """The side at the upper edge of the picture."""
        return self.sides[1 - self.near.seat]

    @property
    def shown_hands(self) -> tuple[SideView, ...]:
        """The sides whose hands the viewpoint knows."""
        return (self.near,) if self.viewpoint is not None else (self.far, self.near)
