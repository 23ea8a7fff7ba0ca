"""Snapshots, resume states and deals: games as plain data.

A snapshot describes everything on the table, including hidden cards, as JSON-serializable data. The *resume
state* contains what a snapshot lacks, such as the effect being resolved, the position in the random number
stream and the round limit. A snapshot and its resume state together restore the game's state exactly.
"""

from itertools import chain
from typing import Any

import numpy as np

from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.gate import convert
from pocketmars_env.core.position_codec import or_none
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.constants import (
    CARDS_DEALT_IN_DRAFT,
    MAX_SEATS,
    NUM_SUITS,
    Decision,
)
from pocketmars_env.games.pocket_mars.rules.state import new_states
from pocketmars_env.games.pocket_mars.snapshots.entry_points import clear_tables
from pocketmars_env.games.pocket_mars.snapshots.schema import Deal, ResumeState

Snapshot = dict[str, Any]
LEFT_OUT = ("handicap", "small")
"""The settings that a snapshot contains only if they differ from the defaults."""


def set_of(cards: list[int]) -> int:
    """Return the card set of a list of distinct cards."""
    return sum(1 << card for card in cards)


# --- snapshots ------------------------------------------------------------------------------------


def snapshot(states: States) -> Snapshot:
    """Return the snapshot of a ``(1,)`` record."""
    state = states[0]
    config = GameConfig.of_state(state)
    scores = np.zeros(MAX_SEATS, dtype=np.int64)
    batch.scores_at(states, 0, scores)
    decision = int(state["decision"])
    data = {
        "players": config.players,
        "mode": config.mode,
        "edition": config.edition,
        "level": config.level,
        "round": int(state["round_number"]),
        "starting_seat": int(state["starting_seat"]),
        "active_seat": int(state["active_seat"]),
        "asked_seat": or_none(state["to_play"]),
        "decision": None if decision < 0 else Decision(decision).name,
        "over": bool(state["over"]),
        "deck": state["deck"][: state["deck_size"]][::-1].tolist(),
        "under": int(state["under"]),
        "discard": state["discard"][: state["discard_size"]].tolist(),
        "in_play": state["in_play"][: state["in_play_size"]].tolist(),
        "piles": [pile_snapshot(state, building) for building in range(NUM_SUITS)],
        "seats": [seat_snapshot(state, seat, int(scores[seat])) for seat in range(config.seats)],
    }
    for name in LEFT_OUT:
        if value := getattr(config, name):
            data[name] = value
    return data


def pile_snapshot(state: Any, building: int) -> list[list[Any]]:
    """Return a pile as ``[[card, face_up], ...]``, bottom first."""
    face_down = int(state["face_down"])
    pile = state["pile"][building][: state["pile_size"][building]].tolist()
    return [[card, not face_down >> card & 1] for card in pile]


def seat_snapshot(state: Any, seat: int, score: int) -> Snapshot:
    """Return the entry for a seat in ``snapshot["seats"]``."""
    data = state["seats"][seat]
    is_keeping = state["decision"] == Decision.KEEP and state["to_play"] == seat
    hand = int(data["hand"]) | (int(state["drawn"]) if is_keeping else 0)
    entry = {
        "hand": members(hand),
        "prep": [or_none(card) for card in data["prep"]],
        "earth": int(data["earth"]),
        "ship": int(data["ship"]),
        "energy": int(data["energy"]),
        "star": data["star"].tolist(),
        "star2": data["star2"].tolist(),
        "score": score,
        "knows": members(int(data["knows"])),
    }
    if state["decision"] in (Decision.DRAFT, Decision.PREP):
        entry["pending"] = [int(card) for card in data["pending"] if card >= 0]
    if state["decision"] == Decision.DRAFT:
        entry["packet"] = members(int(data["packet"]))
    return entry


def resume_state(states: States) -> dict[str, int]:
    """Return the resume state of a ``(1,)`` record."""
    return {field: int(states[field][0]) for field in ResumeState.__struct_fields__}


# --- deals ----------------------------------------------------------------------------------------


def check_deal(deal: Any, config: GameConfig) -> Deal:
    """Check a deal."""
    checked = convert(deal, Deal, "deal")
    size = CARDS_DEALT_IN_DRAFT if config.draft else config.small_game.hand
    cards = config.small_game.cards
    if len(checked.hands) != config.players or any(len(hand) != size for hand in checked.hands):
        raise ValueError(f"hands must be {config.players} lists of {size} cards, got {quoted(checked.hands)}")
    if sorted([*chain(*checked.hands), *checked.deck]) != cards:
        raise ValueError(f"hands and deck of a deal must hold each of the {len(cards)} cards once")
    if checked.starting_seat >= config.players:
        raise ValueError(f"starting_seat must be below {config.players}, got {checked.starting_seat}")
    return checked


def state_from_deal(deal: Any, config: GameConfig, seed: int) -> States:
    """Return ``(1,)`` `STATE` records with a deal, ready for `set_up_at`; `seed` is for later shuffles."""
    checked = check_deal(deal, config)
    states = blank_states(1, config)
    state = states[0]
    for seat, hand in enumerate(checked.hands):
        state["seats"][seat]["packet" if config.draft else "hand"] = set_of(hand)
        state["seats"][seat]["knows"] = set_of(hand)
    state["deck"][: len(checked.deck)] = checked.deck[::-1]
    state["deck_size"] = len(checked.deck)
    state["starting_seat"] = checked.starting_seat
    state["seed"] = seed
    return states


def blank_states(count: int, config: GameConfig) -> States:
    """Return a ``(count,)`` array of `STATE` records with the given settings and all other fields reset."""
    states = new_states(count)
    for field, value in config.fields().items():
        states[field] = value
    if config.small:
        config.small_game.write(states)
    clear_tables(states)
    return states


def deal_of(states: States) -> dict[str, Any]:
    """Return the deal of a game in which no choice has been made; `states` is a ``(1,)`` `STATE` array."""
    state = states[0]
    config = GameConfig.of_state(state)
    cards = "packet" if config.draft else "hand"
    return {
        "hands": [members(int(state["seats"][seat][cards])) for seat in range(config.players)],
        "deck": state["deck"][: state["deck_size"]][::-1].tolist(),
        "starting_seat": int(state["starting_seat"]),
    }
