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
from pocketmars_env.core.snapshot_checks import or_none
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    MAX_SEATS,
    NUM_SUITS,
    Decision,
)
from pocketmars_env.games.pocket_mars.rules.state import new_states
from pocketmars_env.games.pocket_mars.snapshots.entry_points import clear_tables

Snapshot = dict[str, Any]
Deal = dict[str, Any]

RESUME_FIELDS = (
    "drawn", "stage", "played", "owner", "program", "line", "actor", "left", "to_draw",
    "draw_aside", "picked", "served", "truncated", "draft", "da_agent", "round_limit", "seed",
    "draws", "shuffles",
)  # fmt: skip


def set_of(cards: list[int]) -> int:
    """Return the card set of a list of distinct cards."""
    return sum(1 << card for card in cards)


# --- snapshots ------------------------------------------------------------------------------------


def snapshot(states: States, i: int = 0) -> Snapshot:
    """Return the snapshot of game `i`."""
    state = states[i]
    config = GameConfig.of_state(state)
    scores = np.zeros(MAX_SEATS, dtype=np.int64)
    batch.scores_at(states, i, scores)
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
    return {**data, "handicap": config.handicap} if config.handicap else data


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


def resume_state(states: States, i: int = 0) -> dict[str, int]:
    """Return the resume state of game `i`."""
    return {field: int(states[field][i]) for field in RESUME_FIELDS}


# --- deals ----------------------------------------------------------------------------------------


def check_cards(name: str, cards: object) -> list[int]:
    """Return `cards` as a list of distinct card numbers."""
    if not isinstance(cards, list | tuple | np.ndarray):
        raise ValueError(f"{name} must be a list of cards, got {quoted(cards)}")
    numbers = list(cards)
    for card in numbers:
        if isinstance(card, bool) or not isinstance(card, int | np.integer) or not 0 <= card < NUM_CARDS:
            raise ValueError(f"{name} must hold cards 0..{NUM_CARDS - 1}, got {quoted(card)}")
    if len(set(numbers)) != len(numbers):
        raise ValueError(f"{name} holds a card twice: {quoted(numbers)}")
    return [int(card) for card in numbers]


def check_deal(deal: Deal, config: GameConfig) -> tuple[list[list[int]], list[int], int]:
    """Check a deal; return its hands (in the draft variant, packets), deck (top first) and starting seat."""
    if not isinstance(deal, dict) or set(deal) != {"hands", "deck", "starting_seat"}:
        raise ValueError(f"a deal is a dict with hands, deck and starting_seat, got {quoted(deal)}")
    if not isinstance(deal["hands"], list | tuple) or len(deal["hands"]) != config.players:
        raise ValueError(f"deal['hands'] must hold {config.players} hands, got {quoted(deal['hands'])}")
    size = CARDS_DEALT_IN_DRAFT if config.draft else CARDS_DEALT
    hands = [check_cards(f"deal['hands'][{seat}]", hand) for seat, hand in enumerate(deal["hands"])]
    for seat, hand in enumerate(hands):
        if len(hand) != size:
            raise ValueError(f"deal['hands'][{seat}] must hold {size} cards, got {len(hand)}")
    deck = check_cards("deal['deck']", deal["deck"])
    cards = sorted([*chain(*hands), *deck])
    if cards != list(range(NUM_CARDS)):
        raise ValueError(f"hands and deck of a deal must hold each of the {NUM_CARDS} cards once")
    start = deal["starting_seat"]
    if isinstance(start, bool) or not isinstance(start, int) or not 0 <= start < config.players:
        raise ValueError(f"starting_seat must be in 0..{config.players - 1}, got {quoted(start)}")
    return hands, deck, start


def state_from_deal(deal: Deal, config: GameConfig, seed: int) -> States:
    """Return ``(1,)`` `STATE` records with a deal, ready for `set_up_at`; `seed` is for later shuffles."""
    hands, deck, start = check_deal(deal, config)
    states = blank_states(1, config)
    state = states[0]
    for seat, hand in enumerate(hands):
        state["seats"][seat]["packet" if config.draft else "hand"] = set_of(hand)
        state["seats"][seat]["knows"] = set_of(hand)
    state["deck"][: len(deck)] = deck[::-1]
    state["deck_size"] = len(deck)
    state["starting_seat"] = start
    state["seed"] = seed
    return states


def blank_states(count: int, config: GameConfig) -> States:
    """Return a ``(count,)`` array of `STATE` records with the given settings and all other fields reset."""
    states = new_states(count)
    for field, value in config.fields().items():
        states[field] = value
    clear_tables(states)
    return states


def deal_of(states: States) -> Deal:
    """Return the deal of a game in which no choice has been made; `states` is a ``(1,)`` `STATE` array."""
    state = states[0]
    config = GameConfig.of_state(state)
    cards = "packet" if config.draft else "hand"
    return {
        "hands": [members(int(state["seats"][seat][cards])) for seat in range(config.players)],
        "deck": state["deck"][: state["deck_size"]][::-1].tolist(),
        "starting_seat": int(state["starting_seat"]),
    }
