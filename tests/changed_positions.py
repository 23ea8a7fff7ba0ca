"""Small random changes to positions, some of them hidden from some seats.

The functions edit the state record directly, and play might never reach the resulting position. What a seat
is shown of the position must be correct even then.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from pocketmars_env import Game
from pocketmars_env.core.compiled.states import copy_states
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import NO_CARD, PREP_SLOTS, Decision
from pocketmars_env.games.pocket_mars.spec import SPEC

Record = Any
"""One record of a `STATE` array."""
Change = Callable[[Record, np.random.Generator], None]

CARD_SETS = ("hand", "packet", "knows")
SETUP = (Decision.DRAFT, Decision.PREP)


def renamed(record: Record, names: dict[int, int]) -> None:
    """Renumber cards throughout the record; each seat still knows the same places."""
    table = np.arange(NUM_CARDS + 1)  # the last entry is for NO_CARD
    table[NUM_CARDS] = NO_CARD
    for old, new in names.items():
        table[old] = new

    def of_set(cards: int) -> int:
        return sum(1 << int(table[card]) for card in range(NUM_CARDS) if cards >> card & 1)

    for field in ("deck", "discard", "pile", "in_play"):
        record[field][:] = table[record[field]]
    for field in ("drawn", "face_down"):
        record[field] = of_set(int(record[field]))
    for field in ("played", "picked"):
        record[field] = table[record[field]]
    for seat in range(seats_of(record)):
        data = record["seats"][seat]
        for field in CARD_SETS:
            data[field] = of_set(int(data[field]))
        for field in ("prep", "pending"):
            data[field][:] = table[data[field]]


def seats_of(record: Record) -> int:
    return 2 if record["solo"] else int(record["players"])


def unseen_deck(record: Record) -> list[int]:
    """Return the deck cards whose suit no seat has seen."""
    size, under = int(record["deck_size"]), int(record["under"])
    return [int(card) for card in record["deck"][under : max(size - 1, under)]]


# --- what a seat cannot know ------------------------------------------------------------------------


def permuted(game: Game, seat: int, rng: np.random.Generator) -> Game:
    """Return a copy of the game with everything unknown to the seat redrawn at random.

    Hidden cards trade places with cards of the same suit, or within the part of the deck that nobody has
    seen. The other seats' setup choices, the starting seat (during the setup), another seat's first pick of
    a swap, and the seed are redrawn.
    """
    states = copy_states(game.states)
    record = states[0]
    hidden = [card for card in range(NUM_CARDS) if not int(record["seats"][seat]["knows"]) >> card & 1]
    for _ in range(60):
        if len(hidden) > 1:
            one, other = (int(card) for card in rng.choice(hidden, 2, replace=False))
            in_deck = unseen_deck(record)
            if CARD_SUIT[one] == CARD_SUIT[other] or (one in in_deck and other in in_deck):
                renamed(record, {one: other, other: one})
    for other in range(seats_of(record)):
        if other != seat:
            choose_anew(record, other, rng)
    if record["decision"] in SETUP:
        record["starting_seat"] = rng.integers(int(record["players"]))
    if record["picked"] != NO_CARD and record["to_play"] != seat:
        pick_anew(record, rng)
    record["seed"], record["draws"] = rng.integers(2**63), rng.integers(100)
    return Game.of(SPEC, states)


def choose_anew(record: Record, seat: int, rng: np.random.Generator) -> None:
    """Replace a seat's setup choices with random ones."""
    data = record["seats"][seat]
    cards = int(data["packet"] if record["decision"] == Decision.DRAFT else data["hand"])
    own = [card for card in range(NUM_CARDS) if cards >> card & 1]
    number = int((data["pending"] != NO_CARD).sum())
    if number:
        data["pending"][:number] = rng.choice(own, number, replace=False)
    if record["decision"] == Decision.PREP and record["to_play"] == seat:
        data["pending"][:] = NO_CARD  # nobody can see whether this is the first or the second choice
        number = int(rng.integers(PREP_SLOTS))
        data["pending"][:number] = rng.choice(own, number, replace=False)
        record["served"] = seat * PREP_SLOTS + number + 1


def pick_anew(record: Record, rng: np.random.Generator) -> None:
    data = record["seats"][int(record["to_play"])]
    is_of_hand = record["decision"] == Decision.SWAP_PREP
    hand = [card for card in range(NUM_CARDS) if int(data["hand"]) >> card & 1]
    record["picked"] = rng.choice(hand if is_of_hand else [card for card in data["prep"] if card != NO_CARD])


# --- one small change -------------------------------------------------------------------------------


def changed(game: Game, rng: np.random.Generator) -> Game:
    """Return a copy of the game with one random change from `CHANGES`."""
    states = copy_states(game.states)
    CHANGES[int(rng.integers(len(CHANGES)))](states[0], rng)
    return Game.of(SPEC, states)


def exchange_cards(record: Record, rng: np.random.Generator) -> None:
    """Swap two cards of one suit, or two cards outside the piles."""
    piled = {int(card) for card in record["pile"].reshape(-1)}
    one, other = (int(card) for card in rng.choice(NUM_CARDS, 2, replace=False))
    if CARD_SUIT[one] == CARD_SUIT[other] or not {one, other} & piled:
        renamed(record, {one: other, other: one})


def exchange_in_order(record: Record, rng: np.random.Generator) -> None:
    """Swap two cards of a pile, the discard pile or the deck; each card stays known to the same seats."""
    zones = [record["deck"][: record["deck_size"]], record["discard"][: record["discard_size"]]]
    zones += [pile[:size] for pile, size in zip(record["pile"], record["pile_size"], strict=True)]
    long = [zone for zone in zones if len(zone) > 1]
    if long:
        zone = long[int(rng.integers(len(long)))]
        one, other = rng.choice(len(zone), 2, replace=False)
        zone[one], zone[other] = int(zone[other]), int(zone[one])


def exchange_in_setup(record: Record, rng: np.random.Generator) -> None:
    """Swap two pending choices, a hand and a packet, or the starting seats."""
    seat = record["seats"][int(rng.integers(seats_of(record)))]
    record["starting_seat"] = rng.integers(int(record["players"]))
    if (seat["pending"] != NO_CARD).all():
        seat["pending"][:] = seat["pending"][::-1].copy()
    elif record["decision"] == Decision.DRAFT and seat["hand"]:
        seat["hand"], seat["packet"] = int(seat["packet"]), int(seat["hand"])


def change_knowledge(record: Record, rng: np.random.Generator) -> None:
    """Let a seat learn or forget a card under the deck, or in another seat's hand or prep module."""
    viewer = int(rng.integers(seats_of(record)))
    found = [int(card) for card in record["deck"][: record["under"]]]
    for seat in range(seats_of(record)):
        if seat != viewer:
            data = record["seats"][seat]
            found += [int(card) for card in data["prep"] if card != NO_CARD]
            cards = int(data["hand"]) | int(data["packet"])
            found += [card for card in range(NUM_CARDS) if cards >> card & 1]
    if found:
        record["seats"][viewer]["knows"] ^= 1 << found[int(rng.integers(len(found)))]


def change_under(record: Record, rng: np.random.Generator) -> None:
    """Change the number of cards put under the deck by one; no seat knows the affected card afterwards."""
    under = int(record["under"]) + (1 if rng.random() < 0.7 else -1)
    if record["decision"] not in SETUP and 0 <= under <= record["deck_size"]:
        border = int(record["deck"][min(under, int(record["under"]))])
        record["under"] = under
        for seat in range(seats_of(record)):
            record["seats"][seat]["knows"] &= ~(1 << border)


def change_number(record: Record, rng: np.random.Generator) -> None:
    """Change the round, round limit, handicap and level, energy, starting and active seat, or edition."""
    seat = record["seats"][int(rng.integers(seats_of(record)))]
    kind = int(rng.integers(6))
    if kind == 0:
        record["round_number"] = rng.integers(1, 60)
    elif kind == 1:
        record["round_limit"] = rng.integers(60, 10_000)
    elif kind == 2 and record["solo"]:
        record["handicap"], record["level"] = rng.integers(21), rng.integers(3)
    elif kind == 3:
        seat["energy"] = rng.integers(8)
    elif kind == 4 and record["decision"] not in SETUP and not record["solo"]:
        record["starting_seat"], record["active_seat"] = rng.integers(int(record["players"]), size=2)
    elif kind == 5:
        record["edition"] = 1 - int(record["edition"])


def move_colonist(record: Record, rng: np.random.Generator) -> None:
    """Move a colonist from Earth or the Ship to another place."""
    seat, building = record["seats"][int(rng.integers(seats_of(record)))], int(rng.integers(4))
    start = ("earth", "ship")[int(rng.integers(2))]
    if seat[start] > 0:
        seat[start] -= 1
        kind = int(rng.integers(3))
        if kind == 0:
            seat["ship" if start == "earth" else "earth"] += 1
        elif kind == 1 and sum(record["seats"][k]["star2"][building] for k in range(seats_of(record))) == 0:
            seat["star2"][building] += 1
        else:
            seat["star"][building] += 1


def turn_over(record: Record, rng: np.random.Generator) -> None:
    """Turn over a card of a pile and make it known to all seats."""
    piled = [int(card) for card in record["pile"].reshape(-1) if card != NO_CARD]
    if piled:
        card = piled[int(rng.integers(len(piled)))]
        record["face_down"] = int(record["face_down"]) ^ (1 << card)
        for seat in range(seats_of(record)):
            record["seats"][seat]["knows"] |= 1 << card


CHANGES: list[Change] = [
    exchange_cards, exchange_cards, exchange_in_order, exchange_in_order, exchange_in_setup, change_knowledge,
    change_knowledge, change_under, change_number, move_colonist, turn_over,
]  # fmt: skip
