"""A position from a viewpoint, from which pictures, texts and the log are made."""

from dataclasses import dataclass

from pocketmars_env.games.project_mars.rules.constants import LANES

Card = int | None
"""A type, or None for a card that the viewpoint does not know."""


def slot_target(seat: int, slot: int) -> str:
    """A slot of the field of a seat; see `Choice.targets`."""
    return f"slot:{seat}:{slot}"


@dataclass(frozen=True)
class PlacedCard:
    """A card in a slot.

    Attributes:
        card: its type.
        owner: the seat that it belongs to; an enemy's card on a field is a trap.
        power: its current PWR.
        bonus: the PWR that effects add to its printed PWR.
        is_zeroed, is_disabled: its marks.
        works: whether its effect works.

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
    """The side of a seat.

    Attributes:
        seat: its number.
        name: its name.
        field: the slots: row × 4 + lane.
        hand: the cards in hand: the known cards in ascending order, then None for each unknown card.
        revealed: the cards in hand that both players know.
        back_hand: between rounds, the cards that the seat may keep, like `hand`.
        aside: cards set aside, like `hand`.
        deck_size: cards in the deck.
        junkyard: types in the junkyard, ascending.
        decklist: types of the deck list, ascending.
        utility: the UTILITY card whose effect is being carried out, or None.
        has_used_utility: whether it has used a UTILITY card in this round.
        has_passed: whether it has passed.
        wins: rounds won.
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
        mode: where the decks come from.
        round: the number of the round.
        to_play: the seat to play; None when the game is over.
        decision: the name of its decision; None when the game is over.
        turn_seat: whose turn it is; None outside turns.
        has_gas: whether Toxic Gas is in effect.
        results: TPR of both seats in each finished round.
        lanes: the seat that would win each lane if the round ended now, or None.
        left: trades left, buildings to cover, or buildings to destroy.
        effect: the card whose effect is being carried out, its seat, and its slot or None; None if there is
            no such card.
        sides: both seats.

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
        """The side at the lower edge: the viewpoint's, or seat 0's."""
        return self.sides[self.viewpoint or 0]

    @property
    def far(self) -> SideView:
        """The side at the upper edge."""
        return self.sides[1 - self.near.seat]

    @property
    def shown_hands(self) -> tuple[SideView, ...]:
        """The sides whose hands are known."""
        return (self.near,) if self.viewpoint is not None else (self.far, self.near)
