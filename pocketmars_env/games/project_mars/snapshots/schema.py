"""The format of snapshots, resume states, deals and predetermined random events, for `core/gate.py`."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from pocketmars_env.core.gate import Record
from pocketmars_env.games.project_mars.config import MODES, Card
from pocketmars_env.games.project_mars.rules.cards import NUM_FIELD_TYPES, STARTERS
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    EVENTS_WRAP,
    ROUNDS,
    SEATS,
    SLOTS,
    Decision,
)
from pocketmars_env.games.project_mars.small import NAMES

Seat: TypeAlias = Annotated[int, Meta(ge=0, lt=SEATS)]
Slot: TypeAlias = Annotated[int, Meta(ge=0, lt=SLOTS)]
Cards: TypeAlias = Annotated[list[Card], Meta(max_length=DECK_SIZE)]
Order: TypeAlias = Annotated[list[Card], Meta(min_length=1, max_length=DECK_SIZE)]
"""The order of a deck after a shuffle, top first."""
Int8: TypeAlias = Annotated[int, Meta(ge=-128, le=127)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=127)]
Events: TypeAlias = Annotated[int, Meta(ge=0, lt=EVENTS_WRAP)]
Starter: TypeAlias = Annotated[int, Meta(ge=-1, lt=len(STARTERS))]


class SlotSnapshot(Record, frozen=True):
    """A card in a slot of a field."""

    card: Annotated[int, Meta(ge=0, lt=NUM_FIELD_TYPES)]
    seat: Seat  # the owner
    pwr: int
    bonus: Int8
    zeroed: bool
    disabled: bool
    works: bool


class EffectSnapshot(Record, frozen=True):
    """The card whose effect causes the decision."""

    card: Card
    seat: Seat  # the owner
    slot: Slot | None  # None for a UTILITY card


class SeatSnapshot(Record, frozen=True):
    """A seat in a snapshot; all lists of cards except the deck are in ascending order."""

    decklist: Cards
    hand: Cards
    revealed: Cards  # cards of the hand
    back_hand: Cards
    back_revealed: Cards  # cards of the back hand
    aside: Cards
    deck: Cards  # top first
    junkyard: Cards
    utility: Card | None
    utility_used: bool
    passed: bool
    wins: Count
    tpr: int
    field: Annotated[list[SlotSnapshot | None], Meta(min_length=SLOTS, max_length=SLOTS)]


class TableSnapshot(Record, frozen=True):
    """A snapshot: everything on the table, including hidden cards."""

    game: Literal["project_mars"]
    mode: Literal[MODES]  # type: ignore[valid-type]
    round: Annotated[int, Meta(ge=1, le=ROUNDS)]
    first_seat: Seat | None
    turn_seat: Seat | None
    asked_seat: Seat | None  # the seat to play
    decision: Literal[tuple(Decision.__members__)] | None  # type: ignore[valid-type]
    over: bool
    gas: bool
    results: Annotated[list[tuple[Int8, Int8]], Meta(max_length=ROUNDS)]  # TPR of the finished rounds
    lanes: list[Seat | None]  # the seats that would win them
    left: Count
    effect: EffectSnapshot | None
    seats: tuple[SeatSnapshot, SeatSnapshot]
    small: Literal[NAMES] | None = None  # type: ignore[valid-type]


class ResumeState(Record, frozen=True):
    """What a snapshot lacks; `rules/state.py` describes the values."""

    copies: Annotated[int, Meta(ge=1, le=DECK_SIZE)]
    given_first: Annotated[int, Meta(ge=-1, lt=SEATS)]
    seed: Annotated[int, Meta(ge=0)]
    draws: Annotated[int, Meta(ge=0, lt=2**32)]
    shuffles: Events
    reveals: Events
    starter_0: Starter
    starter_1: Starter

    def __post_init__(self) -> None:
        if self.seed >= 2**64:  # msgspec's bounds are at most 2^63 - 1
            raise ValueError(f"seed must be below 2^64, got {self.seed}")


class Deal(Record, frozen=True):
    """Decks, top first; the top ten cards are the first hand."""

    decklists: tuple[Cards, Cards]
    decks: tuple[Cards, Cards]
    first_seat: Seat
