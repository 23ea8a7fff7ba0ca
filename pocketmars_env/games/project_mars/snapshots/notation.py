"""Snapshots and resume states: positions as plain data.

A snapshot describes everything on the table, including hidden cards, as JSON-serializable data. The *resume
state* contains what a snapshot lacks, such as the seed of the random stream. A snapshot and its resume state
together restore the state exactly.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.position_codec import or_none
from pocketmars_env.games.project_mars.config import MODES, DuelConfig, as_list
from pocketmars_env.games.project_mars.rules.cards import NUM_TYPES
from pocketmars_env.games.project_mars.rules.constants import LANES, NO_CARD, SEATS, SLOTS, Decision
from pocketmars_env.games.project_mars.rules.state import new_states
from pocketmars_env.games.project_mars.small import NAMES, SMALL_GAMES
from pocketmars_env.games.project_mars.snapshots.entry_points import clear_tables, write_derived

Snapshot = dict[str, Any]

RESUME_FIELDS = ("copies", "given_first", "seed", "draws", "shuffles", "reveals")
STARTER_FIELDS = ("starter_0", "starter_1")


def snapshot(states: States) -> Snapshot:
    """Return the snapshot of a ``(1,)`` record, a JSON-serializable dict.

    `TableSnapshot` has its keys; `SeatView` and `SideView` describe most of the values. An absent seat,
    decision, card or effect is None.
    """
    state = states[0]
    power, works = np.zeros((SEATS, SLOTS), dtype=np.int64), np.zeros((SEATS, SLOTS), dtype=np.int64)
    tpr, lanes = np.zeros(SEATS, dtype=np.int64), np.zeros(LANES, dtype=np.int64)
    write_derived(states, 0, power, works, tpr, lanes)
    decision, rounds = int(state["decision"]), int(state["round_number"]) - 1 + int(state["over"])
    data = {
        "game": "project_mars",
        "mode": MODES[int(state["mode"])],
        "round": int(state["round_number"]),
        "first_seat": or_none(state["first_seat"]),
        "turn_seat": or_none(state["turn_seat"]),
        "asked_seat": or_none(state["to_play"]),
        "decision": None if decision < 0 else Decision(decision).name,
        "over": bool(state["over"]),
        "gas": bool(state["gas"]),
        "results": [[int(side["results"][number]) for side in state["seats"]] for number in range(rounds)],
        "lanes": [or_none(int(seat)) for seat in lanes],
        "left": int(state["left"]),
        "effect": effect_snapshot(state),
        "seats": [
            seat_snapshot(state["seats"][seat], power[seat], works[seat], int(tpr[seat]))
            for seat in range(SEATS)
        ],
    }
    return {**data, "small": NAMES[int(state["small"]) - 1]} if state["small"] else data


def effect_snapshot(state: Any) -> dict[str, Any] | None:
    if state["effect_card"] == NO_CARD:
        return None
    return {
        "card": int(state["effect_card"]),
        "seat": int(state["effect_seat"]),
        "slot": or_none(state["effect_slot"]),
    }


ZONES = ("hand", "revealed", "back_hand", "back_revealed", "aside")
"""Keys of a seat's snapshot, in the order of the snapshot; their values are sorted lists of card types."""


def seat_snapshot(side: Any, power: Any, works: Any, tpr: int) -> Snapshot:
    return {
        "decklist": list(as_list(side["decklist"])),
        **{zone: list(as_list(side[zone])) for zone in ZONES},
        "deck": side["deck"][: side["deck_size"]][::-1].tolist(),
        "junkyard": list(as_list(side["junkyard"])),
        "utility": or_none(side["utility"]),
        "utility_used": bool(side["utility_used"]),
        "passed": bool(side["passed"]),
        "wins": int(side["wins"]),
        "tpr": tpr,
        "field": [slot_snapshot(side, slot, power, works) for slot in range(SLOTS)],
    }


def slot_snapshot(side: Any, slot: int, power: Any, works: Any) -> dict[str, Any] | None:
    if side["card"][slot] == NO_CARD:
        return None
    return {
        "card": int(side["card"][slot]),
        "seat": int(side["owner"][slot]),
        "pwr": int(power[slot]),
        "bonus": int(side["bonus"][slot]),
        "zeroed": bool(side["zeroed"][slot]),
        "disabled": bool(side["disabled"][slot]),
        "works": bool(works[slot]),
    }


def resume_state(states: States) -> dict[str, int]:
    """Return the resume state of a ``(1,)`` record; the keys are `RESUME_FIELDS`, then `STARTER_FIELDS`."""
    fields = {name: int(states[name][0]) for name in RESUME_FIELDS}
    starters = {name: int(states["seats"]["starter"][0, seat]) for seat, name in enumerate(STARTER_FIELDS)}
    return {**fields, **starters}


# --- records ----------------------------------------------------------------------------------------


def blank_states(count: int, config: DuelConfig) -> States:
    """Return ``(count,)`` `STATE` records with the settings of `config`, before any cards are dealt."""
    states = new_states(count)
    states["mode"], states["copies"] = MODES.index(config.mode), config.copies
    for seat, starter in enumerate(config.starters):
        states["seats"]["starter"][:, seat] = starter
    if config.small:
        states["small"] = 1 + NAMES.index(config.small)
        SMALL_GAMES[config.small].write(states)
    elif config.mode == "constructed":
        for seat, deck in enumerate((config.deck_0, config.deck_1)):
            states["seats"]["decklist"][:, seat] = counts_of(deck)  # type: ignore[arg-type]  # a list in this mode
    clear_tables(states)
    return states


def counts_of(cards: Sequence[int]) -> NDArray[np.int64]:
    """Return how often each card type occurs in a list of card types."""
    return np.bincount(np.array(cards, dtype=np.int64), minlength=NUM_TYPES)
