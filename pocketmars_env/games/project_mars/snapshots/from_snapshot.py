"""Restores a state from a snapshot and, if available, a resume state.

A resume state contains what a snapshot lacks, such as the seed of the random stream; see `notation.py`.
"""

from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.snapshot_checks import check_resume_state, require
from pocketmars_env.games.project_mars.config import MODES, DuelConfig
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES, STARTER_DECKS, STARTERS
from pocketmars_env.games.project_mars.rules.constants import (
    DECK_SIZE,
    NO_CARD,
    NO_SEAT,
    NO_SLOT,
    SEATS,
    Decision,
    Stage,
)
from pocketmars_env.games.project_mars.snapshots.entry_points import list_legal_at
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
from pocketmars_env.games.project_mars.snapshots.snapshot_checks import check_snapshot

RANGES = {
    "copies": (1, DECK_SIZE), "given_first": (NO_SEAT, SEATS - 1), "seed": (0, 2**64 - 1),
    "draws": (0, 2**32 - 1), "shuffles": (0, 99), "reveals": (0, 99),
    "starter_0": (-1, len(STARTERS) - 1), "starter_1": (-1, len(STARTERS) - 1),
}  # fmt: skip
"""The minimum and maximum values of the fields of a resume state."""
DEFAULT_RESUME_STATE = {**{name: least for name, (least, _) in RANGES.items()}, "copies": DECK_SIZE}
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
    check_snapshot(data)
    if resume_state is None:
        resume_state = {**DEFAULT_RESUME_STATE, "seed": seed}
    check_resume_state(resume_state, RANGES, RANGES)
    check_consistency(resume_state, data)
    states = blank_states(1, DuelConfig())
    fill(states[0], data, resume_state)
    count = list_legal_at(states, 0)
    require(
        data["over"] or count > 1,
        f"{data['decision']} has {count} legal actions, but a decision needs at least two",
    )
    check_left(states, data, count)
    restored = snapshot(states)
    wrong_keys = [key for key in data if restored[key] != data[key]]
    require(
        not wrong_keys,
        f"the values of {wrong_keys} do not agree with the rest of the snapshot; expected (without seats): "
        f"{[restored[key] for key in wrong_keys if key != 'seats']}",
    )
    return states


def check_left(states: States, data: Snapshot, count: int) -> None:
    """Check ``left`` at TARGET and DISCARD; `count` is the number of legal actions."""
    if data["decision"] == "TARGET" and data["left"]:
        require(data["left"] < count, f"left must be less than the number of targets, {count}")
    if data["decision"] == "DISCARD":
        targets = states.copy()
        targets["decision"] = Decision.TARGET
        number = list_legal_at(targets, 0)
        require(data["left"] <= number, f"left must be at most the number of the enemy's BUILDINGs, {number}")


def check_consistency(resume_state: dict[str, int], data: Snapshot) -> None:
    """Raise a ValueError if a resume state contradicts the snapshot."""
    for seat, name in enumerate(STARTER_FIELDS):
        starter, deck = resume_state[name], data["seats"][seat]["decklist"]
        if starter >= 0 and (
            data["mode"] not in ("starter", "same") or tuple(deck) != STARTER_DECKS[STARTERS[starter]]
        ):
            raise ValueError(f"bad resume state: {name} is not the deck of seat {seat}")
        if data["mode"] == "constructed" and max(map(deck.count, deck)) > resume_state["copies"]:
            raise ValueError(
                f"bad resume state: a deck has more than {resume_state['copies']} copies of a card type"
            )
    if resume_state["given_first"] != NO_SEAT and data["first_seat"] is not None:
        raise ValueError("bad resume state: given_first must be -1 once the first player is drawn")


def fill(state: Any, data: Snapshot, resume_state: dict[str, int]) -> None:
    """Write a snapshot and its resume state into a blank record."""
    for name in RESUME_FIELDS:
        state[name] = resume_state[name]
    state["mode"], state["round_number"] = MODES.index(data["mode"]), data["round"]
    decision = data["decision"]
    state["decision"] = -1 if decision is None else Decision[decision]
    state["stage"] = STAGE_OF.get(decision, Stage.END_TURN)
    for name, key in (("first_seat", "first_seat"), ("turn_seat", "turn_seat"), ("to_play", "asked_seat")):
        state[name] = NO_SEAT if data[key] is None else data[key]
    for name in ("over", "gas", "left"):
        state[name] = data[name]
    if decision in ("MULLIGAN", "KEEP"):
        state["served"] = data["asked_seat"] != (data["first_seat"] or 0)
    if data["effect"] is not None:
        effect = data["effect"]
        slot = NO_SLOT if effect["slot"] is None else effect["slot"]
        state["effect_card"], state["effect_seat"] = effect["card"], effect["seat"]
        state["effect_slot"] = slot
        state["placed"] = slot if decision in ("TRAP", "COME_BACK") else NO_SLOT
    for number, seat in enumerate(data["seats"]):
        fill_seat(state["seats"][number], seat)
        state["seats"][number]["starter"] = resume_state[STARTER_FIELDS[number]]
        for k, result in enumerate(data["results"]):
            state["seats"][number]["results"][k] = result[number]


def fill_seat(side: Any, seat: Snapshot) -> None:
    for zone in ("decklist", *ZONES, "junkyard"):
        side[zone][:] = counts_of(seat[zone])
    side["deck"][: len(seat["deck"])] = seat["deck"][::-1]
    side["deck"][len(seat["deck"]) :] = NO_CARD
    side["deck_size"] = len(seat["deck"])
    side["in_deck"][:] = counts_of(seat["deck"])
    side["utility"] = NO_CARD if seat["utility"] is None else seat["utility"]
    for name in ("utility_used", "passed", "wins"):
        side[name] = seat[name]
    for slot, entry in enumerate(seat["field"]):
        if entry is not None:
            side["card"][slot], side["owner"][slot] = entry["card"], entry["seat"]
            for name in ("bonus", "zeroed", "disabled"):
                side[name][slot] = entry[name]


def check_record(states: States) -> None:
    """Raise a ValueError unless the record in `states` (shape ``(1,)``) is valid.

    A record is valid if its snapshot and resume state pass all checks and together restore its exact bytes.
    """
    field = states["seats"]["card"]  # the kernel that computes the power of these cards does not check them
    if ((field < NO_CARD) | (field >= NUM_TYPES)).any():
        raise ValueError("invalid record: a card on a field does not exist")
    try:
        data, resume_state = snapshot(states), resume_state_of(states)
    except (IndexError, ValueError) as error:
        raise ValueError(f"invalid record: {error}") from error
    if state_from_snapshot(data, resume_state).tobytes() != states.tobytes():
        raise ValueError("invalid record: its snapshot and resume state restore a different record")
