"""The format of snapshots, resume states and deals, as schemas for `core/gate.py`."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from pocketmars_env.core.gate import Record
from pocketmars_env.games.pocket_mars.config import EDITIONS, LEVELS, MODES
from pocketmars_env.games.pocket_mars.rules.cards import CARDS_PER_SUIT, NUM_CARDS, NUM_PROGRAMS
from pocketmars_env.games.pocket_mars.rules.constants import (
    COLONISTS,
    MAX_ENERGY,
    MAX_HANDICAP,
    MAX_ROUND_LIMIT,
    MAX_SEATS,
    MOST_IN_PLAY,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
    Stage,
)
from pocketmars_env.games.pocket_mars.small import NAMES

Card: TypeAlias = Annotated[int, Meta(ge=0, lt=NUM_CARDS)]
Cards: TypeAlias = Annotated[list[Card], Meta(max_length=NUM_CARDS)]
Order: TypeAlias = Annotated[list[Card], Meta(min_length=1, max_length=NUM_CARDS)]
"""The order of the deck after a shuffle, top first."""
Colonists: TypeAlias = Annotated[int, Meta(ge=0, le=COLONISTS)]
PerBuilding: TypeAlias = Annotated[list[Colonists], Meta(min_length=NUM_BUILDINGS, max_length=NUM_BUILDINGS)]
Player: TypeAlias = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
Flag: TypeAlias = Annotated[int, Meta(ge=0, le=1)]
Small: TypeAlias = Annotated[int, Meta(ge=-1, le=127)]


class SeatSnapshot(Record, frozen=True):
    """A seat in a snapshot."""

    hand: Cards
    prep: Annotated[list[Card | None], Meta(min_length=PREP_SLOTS, max_length=PREP_SLOTS)]
    earth: Colonists
    ship: Colonists
    energy: Annotated[int, Meta(ge=0, le=MAX_ENERGY)]
    star: PerBuilding  # colonists on ★ of each Building
    star2: PerBuilding  # colonists on ★★ of each Building
    knows: Cards  # the cards whose exact place the seat knows
    score: int | UnsetType = UNSET  # if the game ended now
    pending: Annotated[list[Card], Meta(max_length=PREP_SLOTS)] | UnsetType = UNSET  # unmoved choices
    packet: Cards | UnsetType = UNSET  # while drafting


class TableSnapshot(Record, frozen=True):
    """A snapshot: everything on the table, including hidden cards."""

    players: Annotated[int, Meta(ge=1, le=MAX_SEATS)]
    mode: Literal[MODES]  # type: ignore[valid-type]
    edition: Literal[EDITIONS]  # type: ignore[valid-type]
    level: Literal[LEVELS] | None  # type: ignore[valid-type]
    round: Annotated[int, Meta(ge=1, le=MAX_ROUND_LIMIT)]
    starting_seat: Player
    active_seat: Player
    asked_seat: Player | None
    decision: Literal[tuple(Decision.__members__)] | None  # type: ignore[valid-type]
    over: bool
    deck: Cards  # top first
    under: Annotated[int, Meta(ge=0, le=NUM_CARDS)]  # number of cards put under the deck and still in it
    discard: Cards  # oldest first
    in_play: Annotated[list[Card], Meta(max_length=MOST_IN_PLAY)]
    piles: Annotated[
        list[Annotated[list[tuple[Card, bool]], Meta(max_length=CARDS_PER_SUIT)]],
        Meta(min_length=NUM_SUITS, max_length=NUM_SUITS),
    ]  # (card, face up), bottom first, per Building
    seats: Annotated[list[SeatSnapshot], Meta(min_length=2, max_length=MAX_SEATS)]
    handicap: Annotated[int, Meta(ge=0, le=MAX_HANDICAP)] = 0
    small: Literal[NAMES] | None = None  # type: ignore[valid-type]


class ResumeState(Record, frozen=True):
    """What a snapshot lacks; the fields are described in `rules/state.py`."""

    drawn: Annotated[int, Meta(ge=0, lt=1 << NUM_CARDS)]
    stage: Annotated[int, Meta(ge=0, lt=len(Stage))]
    played: Annotated[int, Meta(ge=-1, lt=NUM_CARDS)]
    owner: Small
    program: Annotated[int, Meta(ge=-1, lt=NUM_PROGRAMS)]
    line: Small
    actor: Small
    left: Small
    to_draw: Small
    draw_aside: Flag
    picked: Annotated[int, Meta(ge=-1, lt=NUM_CARDS)]
    served: Small
    truncated: Flag
    draft: Flag
    da_agent: Flag
    round_limit: Annotated[int, Meta(ge=1, le=MAX_ROUND_LIMIT)]
    seed: Annotated[int, Meta(ge=0)]  # below 2^64
    draws: Annotated[int, Meta(ge=0, lt=2**32)]
    shuffles: Annotated[int, Meta(ge=0, lt=100)]

    def __post_init__(self) -> None:
        if self.seed >= 2**64:
            raise ValueError(f"seed must be below 2^64, got {self.seed}")


class Deal(Record, frozen=True):
    """A deal: the hands (packets in the draft variant), the deck (top first) and the starting seat."""

    hands: Annotated[list[Cards], Meta(min_length=1, max_length=MAX_SEATS)]
    deck: Cards
    starting_seat: Player
