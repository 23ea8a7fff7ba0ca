"""The format of snapshots and resume states (keys and ranges), and a check of snapshots."""

from collections import Counter
from itertools import chain

from pocketmars_env.core.settings import check_choice
from pocketmars_env.core.snapshot_checks import is_count, require
from pocketmars_env.games.pocket_mars.config import EDITIONS, GameConfig
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS, NUM_PROGRAMS, SUIT_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import (
    COLONISTS,
    MAX_ENERGY,
    MAX_ROUND_LIMIT,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
)
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot, check_cards

KEYS = {
    "players", "mode", "edition", "level", "round", "starting_seat", "active_seat", "asked_seat",
    "decision", "over", "deck", "under", "discard", "in_play", "piles", "seats",
}  # fmt: skip
SEAT_KEYS = {"hand", "prep", "earth", "ship", "energy", "star", "star2", "knows"}
FREE_FIELDS = {
    "seed": 2**64 - 1, "draws": 2**32 - 1, "shuffles": 99, "truncated": 1, "draft": 1, "da_agent": 1,
    "round_limit": MAX_ROUND_LIMIT,
}  # fmt: skip
"""The maximum values of the fields that `with_resume_state` copies from a resume state into positions."""
RESUME_RANGES = {
    **{name: (0, most) for name, most in FREE_FIELDS.items()},
    "drawn": (0, (1 << NUM_CARDS) - 1),
    "played": (-1, NUM_CARDS - 1),
    "picked": (-1, NUM_CARDS - 1),
    "program": (-1, NUM_PROGRAMS - 1),
}
"""The minimum and maximum values of some fields of a resume state."""
SETUP = {Decision.DRAFT.name, Decision.PREP.name}
"""The decisions made during the setup."""


def check_snapshot(data: Snapshot) -> None:
    """Raise a ValueError unless `data` has the format of a snapshot."""
    require(isinstance(data, dict), f"it must be a dict, got {type(data).__name__}")
    keys = set(data) - {"handicap"}
    require(keys == KEYS, f"its keys must be {sorted(KEYS)}, got {sorted(map(str, keys))}")
    check_choice("edition", data["edition"], EDITIONS)
    handicap = data.get("handicap", 0)
    config = GameConfig(data["players"], data["mode"], data["level"], handicap=handicap)
    for name in ("players", "level"):  # `GameConfig` accepts values that it replaces
        expected = getattr(config, name)
        require(data[name] == expected, f"{name} must be {expected!r} here, got {data[name]!r}")
    require(is_count(data["round"], MAX_ROUND_LIMIT, 1), f"round must be 1, 2, ..., got {data['round']!r}")
    require(isinstance(data["over"], bool), f"over must be True or False, got {data['over']!r}")
    for name in ("starting_seat", "active_seat"):
        require(is_count(data[name], config.players - 1), f"{name} is not a player's seat: {data[name]!r}")
    names: list[str | None] = [decision.name for decision in Decision]
    to_play, seats = data["asked_seat"], list(range(config.seats))
    is_accepted = is_count(to_play, seats[-1])
    if data["over"]:  # a finished game has no decision
        names, seats, is_accepted = [None], [], to_play is None
    require(data["decision"] in names, f"decision must be one of {names}, got {data['decision']!r}")
    require(is_accepted, f"asked_seat must be one of {seats or [None]}, got {to_play!r}")
    require(
        isinstance(data["seats"], list) and len(data["seats"]) == config.seats,
        f"seats must hold {config.seats} entries",
    )
    for number, seat in enumerate(data["seats"]):
        check_seat(number, seat, data["decision"])
    check_all_cards(data)
    size = len(data["deck"])
    require(
        is_count(data["under"], size), f"under must be 0..{size}, the size of the deck, got {data['under']!r}"
    )


def check_seat(number: int, seat: Snapshot, decision: str | None) -> None:
    keys = SEAT_KEYS | ({"pending"} if decision in SETUP else set())
    keys |= {"packet"} if decision == Decision.DRAFT.name else set()
    require(isinstance(seat, dict), f"seat {number} must be a dict")
    require(set(seat) - {"score"} == keys, f"the keys of seat {number} must be {sorted(keys)} and score")
    for name in ("star", "star2"):
        require(
            isinstance(seat[name], list)
            and len(seat[name]) == NUM_BUILDINGS
            and all(is_count(value, COLONISTS) for value in seat[name]),
            f"{name} of seat {number} must be {NUM_BUILDINGS} counts, got {seat[name]!r}",
        )
    for name, most in (("earth", COLONISTS), ("ship", COLONISTS), ("energy", MAX_ENERGY)):
        require(is_count(seat[name], most), f"{name} of seat {number} must be 0..{most}, got {seat[name]!r}")
    colonists = seat["earth"] + seat["ship"] + sum(seat["star"]) + sum(seat["star2"])
    require(colonists == COLONISTS, f"seat {number} has {colonists} colonists, not {COLONISTS}")
    require(
        isinstance(seat["prep"], list) and len(seat["prep"]) == PREP_SLOTS,
        f"prep of seat {number} must have {PREP_SLOTS} slots",
    )


def check_pile(building: int, pile: object) -> None:
    is_pile = isinstance(pile, list) and all(
        isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], bool) for entry in pile
    )
    require(is_pile, f"piles[{building}] must be a list of [card, face_up], got {pile!r}")


def check_all_cards(data: Snapshot) -> None:
    """Check that all lists of cards are valid, and that every card is in exactly one place."""
    require(isinstance(data["piles"], list) and len(data["piles"]) == NUM_SUITS, "piles must hold 5 piles")
    for building, pile in enumerate(data["piles"]):
        check_pile(building, pile)
    piled = [check_cards(f"piles[{i}]", [card for card, _ in pile]) for i, pile in enumerate(data["piles"])]
    for building, pile in enumerate(piled):
        require(
            all(SUIT_CARDS[building] >> card & 1 for card in pile),
            f"piles[{building}] holds a card of another suit: {pile}",
        )
    zones = [*piled, *(check_cards(name, data[name]) for name in ("deck", "discard", "in_play"))]
    for number, seat in enumerate(data["seats"]):
        for name in ("hand", "packet"):
            zones.append(check_cards(f"{name} of seat {number}", seat.get(name, [])))
        zones.append(check_cards(f"prep of seat {number}", [c for c in seat["prep"] if c is not None]))
        check_cards(f"knows of seat {number}", seat["knows"])
        check_cards(f"pending of seat {number}", seat.get("pending", []))
    counts = Counter(chain(*zones))
    missing = [card for card in range(NUM_CARDS) if not counts[card]]
    twice = [card for card in counts if counts[card] > 1]
    require(
        not missing and not twice,
        f"each of the {NUM_CARDS} cards must be in one place; missing {missing}, twice {twice}",
    )
