"""Restores a state from a snapshot and, if available, a resume state.

A resume state contains what a snapshot lacks, such as the seed of the random stream; see `notation.py`.
"""

from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.gate import convert
from pocketmars_env.core.position_codec import require
from pocketmars_env.games.project_mars.config import DECK_SETTINGS, MODES, DuelConfig
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    NO_CARD,
    NO_SEAT,
    NO_SLOT,
    Decision,
    Stage,
)
from pocketmars_env.games.project_mars.snapshots.entry_points import list_legal_at
from pocketmars_env.games.project_mars.snapshots.invariants import (
    check_actions,
    check_invariants,
)
from pocketmars_env.games.project_mars.snapshots.notation import (
    RESUME_FIELDS,
    STARTER_FIELDS,
    ZONES,
    Snapshot,
    blank_states,
    counts_of,
    snapshot,
)
from pocketmars_env.games.project_mars.snapshots.notation import resume_state as resume_state_of
from pocketmars_env.games.project_mars.snapshots.schema import ResumeState, SeatSnapshot, TableSnapshot

DEFAULT_RESUME_STATE = {
    "copies": DECK_SIZE, "given_first": NO_SEAT, "seed": 0, "draws": 0, "shuffles": 0, "reveals": 0,
    "starter_0": -1, "starter_1": -1,
}  # fmt: skip
"""The resume state for a snapshot that comes without one; `state_from_snapshot` sets its seed."""
STAGE_OF = {
    "MULLIGAN": Stage.MULLIGAN, "KEEP": Stage.KEEP, "TURN": Stage.TURN, "TRAP": Stage.PLACED,
    "COME_BACK": Stage.PLACED, "DISCARD": Stage.SINKHOLE, None: Stage.TURN,
}  # fmt: skip
"""The stage at each decision and, for the key None, at the end of the game.

The decisions that are not listed (TARGET, GIVE and TAKE) have the stage END_TURN.
"""


def state_from_snapshot(data: Snapshot, resume_state: dict[str, int] | None, seed: int = 0) -> States:
    """Return the state that a snapshot describes, as a ``(1,)`` array of `STATE` records."""
    table = convert(data, TableSnapshot, "snapshot")
    if resume_state is None:
        resume_state = {**DEFAULT_RESUME_STATE, "seed": seed}
    resumed = convert(resume_state, ResumeState, "resume state")
    states = blank_states(1, DuelConfig(small=table.small))
    fill(states[0], table, resumed)
    restored = convert(snapshot(states), TableSnapshot, "restored snapshot")
    for record, expected in ((table, restored), *zip(table.seats, restored.seats, strict=True)):
        for name in sorted({*record.__struct_fields__} - {"seats"}):
            value, other = getattr(record, name), getattr(expected, name)
            require(value == other, f"{name} does not fit the rest: expected {other}, got {value}")
    check_invariants(table)
    check_actions(table, list_legal_at(states, 0))
    check_decklists(table, DuelConfig.of_state(states[0]))
    return states


def check_decklists(table: TableSnapshot, config: DuelConfig) -> None:
    """Raise a ValueError unless the deck lists have the right size or are those of the small game."""
    for name, seat in zip(DECK_SETTINGS, table.seats, strict=True):
        if config.small:
            deck = getattr(config, name)
            require(tuple(seat.decklist) == deck and table.mode == config.mode, f"decklist must be {deck}")
        else:
            require(len(seat.decklist) == DECK_SIZE, f"decklist must have {DECK_SIZE} cards")


def fill(state: Any, table: TableSnapshot, resumed: ResumeState) -> None:
    """Write a snapshot and its resume state into a blank record."""
    for name in RESUME_FIELDS:
        state[name] = getattr(resumed, name)
    state["mode"], state["round_number"] = MODES.index(table.mode), table.round
    decision = table.decision
    state["decision"] = -1 if decision is None else Decision[decision]
    state["stage"] = STAGE_OF.get(decision, Stage.END_TURN)
    for name, seat in (("first_seat", table.first_seat), ("turn_seat", table.turn_seat)):
        state[name] = NO_SEAT if seat is None else seat
    state["to_play"] = NO_SEAT if table.asked_seat is None else table.asked_seat
    for name in ("over", "gas", "left"):
        state[name] = getattr(table, name)
    if decision in ("MULLIGAN", "KEEP"):
        state["served"] = table.asked_seat != (table.first_seat or 0)
    if table.effect is not None:
        slot = NO_SLOT if table.effect.slot is None else table.effect.slot
        state["effect_card"], state["effect_seat"] = table.effect.card, table.effect.seat
        state["effect_slot"] = slot
        state["placed"] = slot if decision in ("TRAP", "COME_BACK") else NO_SLOT
    for number, side in enumerate(table.seats):
        fill_seat(state["seats"][number], side)
        state["seats"][number]["starter"] = getattr(resumed, STARTER_FIELDS[number])
        for k, result in enumerate(table.results):
            state["seats"][number]["results"][k] = result[number]


def fill_seat(side: Any, seat: SeatSnapshot) -> None:
    for zone in ("decklist", *ZONES, "junkyard"):
        side[zone][:] = counts_of(getattr(seat, zone))
    side["deck"][: len(seat.deck)] = seat.deck[::-1]
    side["deck"][len(seat.deck) :] = NO_CARD
    side["deck_size"] = len(seat.deck)
    side["in_deck"][:] = counts_of(seat.deck)
    side["utility"] = NO_CARD if seat.utility is None else seat.utility
    for name in ("utility_used", "passed", "wins"):
        side[name] = getattr(seat, name)
    for slot, entry in enumerate(seat.field):
        if entry is not None:
            side["card"][slot], side["owner"][slot] = entry.card, entry.seat
            for name in ("bonus", "zeroed", "disabled"):
                side[name][slot] = getattr(entry, name)


def check_record(states: States) -> None:
    """Raise a ValueError unless the snapshot and the resume state of a record restore its exact bytes."""
    field = states["seats"]["card"]  # the kernel that computes the power of these cards does not check them
    if ((field < NO_CARD) | (field >= NUM_TYPES)).any():
        raise ValueError("invalid record: a card on a field does not exist")
    try:
        data, resume_state = snapshot(states), resume_state_of(states)
    except (IndexError, ValueError) as error:
        raise ValueError(f"invalid record: {error}") from error
    if state_from_snapshot(data, resume_state).tobytes() != states.tobytes():
        raise ValueError("invalid record: its snapshot and resume state restore a different record")
