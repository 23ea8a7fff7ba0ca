"""Positions from random games, and random changes that can make them invalid."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.actions import LAUNCH
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from tests.fuzz.mutations import mutated
from tests.modes import MODES

Rng = np.random.Generator
Position = tuple[Snapshot, dict[str, int] | None]
"""A snapshot, and its resume state or None."""
Change = Callable[[Snapshot, Rng], None]

GAMES_OF_A_MODE = 6
MOST_OF_A_KIND = 12


@functools.cache
def fresh_games() -> dict[tuple[str, str], list[Game]]:
    """Return positions from random games by mode and decision (``"over"`` for finished games)."""
    found: dict[tuple[str, str], list[Game]] = {}
    for mode, settings in MODES.items():
        for seed in range(GAMES_OF_A_MODE):
            rng = np.random.default_rng(seed)
            game = Game(**settings, seed=seed, round_limit=3 if seed == 0 else None)
            for number in range(100_000):
                games = found.setdefault((mode, game.decision or "over"), [])
                if len(games) < MOST_OF_A_KIND and number % 3 != 1:
                    games.append(game.clone())
                if game.over:
                    break
                legal = game.legal
                is_launch = LAUNCH in legal and rng.random() < 0.3  # random play rarely launches
                game.step(LAUNCH if is_launch else legal[rng.integers(len(legal))])
    return {kind: games for kind, games in found.items() if games}


def fresh(rng: Rng) -> Game:
    """Return a random fresh position; rare decisions are as likely as common ones."""
    kinds = list(fresh_games().values())
    games = kinds[int(rng.integers(len(kinds)))]
    return games[int(rng.integers(len(games)))]


# --- changes that keep the form -----------------------------------------------------------------------


def places_of(data: Snapshot) -> list[list[Any]]:
    """Return the lists of cards, without the piles and prep modules."""
    places = [data["deck"], data["discard"], data["in_play"]]
    for seat in data["seats"]:
        places += [seat["hand"], *([seat["packet"]] if "packet" in seat else [])]
    return places


def pick(rng: Rng, values: list[Any]) -> Any:
    return values[int(rng.integers(len(values)))]


def move_a_card(data: Snapshot, rng: Rng) -> None:
    """Move a card from one place to another and update which seats know it."""
    source, target = pick(rng, places_of(data)), pick(rng, places_of(data))
    if source:
        card = source.pop(int(rng.integers(len(source))))
        target.append(card)
        tidy(data, card)


def move_a_card_to_or_from_a_pile(data: Snapshot, rng: Rng) -> None:
    pile, place = pick(rng, data["piles"]), pick(rng, places_of(data))
    if pile and rng.random() < 0.5:
        card, _ = pile.pop(int(rng.integers(len(pile))))
        place.append(card)
    elif place:
        card = place.pop(int(rng.integers(len(place))))
        data["piles"][CARD_SUIT[card]].append([card, bool(rng.integers(2))])
    else:
        return
    tidy(data, card)


def change_a_prep_slot(data: Snapshot, rng: Rng) -> None:
    """Empty a prep slot, or fill it with a card from a random place."""
    prep, place, slot = pick(rng, data["seats"])["prep"], pick(rng, places_of(data)), int(rng.integers(2))
    card = prep[slot]
    if card is not None:
        prep[slot] = None
        place.append(card)
    elif place:
        card = prep[slot] = place.pop()
    if card is not None:
        tidy(data, card)


def tidy(data: Snapshot, card: int) -> None:
    """Sort hands and packets, and update which seats know the card."""
    in_deck = card in data["deck"]
    is_up = any([card, True] in pile for pile in data["piles"])
    is_open = is_up or card in data["discard"] + data["in_play"]
    for seat in data["seats"]:
        for name in {"hand", "packet"} & set(seat):
            seat[name].sort()
        is_own = card in [*seat["hand"], *seat.get("packet", []), *seat["prep"]]
        known = set(seat["knows"]) - ({card} if in_deck else set())
        seat["knows"] = sorted(known | ({card} if is_open or is_own else set()))


def swap_two_cards(data: Snapshot, rng: Rng) -> None:
    """Swap two card numbers everywhere except in the piles and in what the seats know."""
    first, second = (int(card) for card in rng.integers(35, size=2))
    for place in [*places_of(data), *(seat["prep"] for seat in data["seats"])]:
        place[:] = [{first: second, second: first}.get(card, card) for card in place]


def change_knowledge(data: Snapshot, rng: Rng) -> None:
    seat, card = pick(rng, data["seats"]), int(rng.integers(35))
    seat["knows"] = sorted(set(seat["knows"]) ^ {card})


def turn_a_card(data: Snapshot, rng: Rng) -> None:
    pile = pick(rng, data["piles"])
    if pile:
        entry = pick(rng, pile)
        entry[1] = not entry[1]
        tidy(data, entry[0])


def move_a_colonist(data: Snapshot, rng: Rng) -> None:
    seat = pick(rng, data["seats"])
    places = [(seat, "earth"), (seat, "ship"), *((seat[s], b) for s in ("star", "star2") for b in range(4))]
    (source, key), (target, other) = pick(rng, places), pick(rng, places)
    number = 1 if rng.random() < 0.7 else source[key]
    if source[key] >= number:
        source[key] -= number
        target[other] += number


def change_energy(data: Snapshot, rng: Rng) -> None:
    seat = pick(rng, data["seats"])
    seat["energy"] = int(rng.integers(8))


def change_round(data: Snapshot, rng: Rng) -> None:
    data["round"] = int(rng.choice([1, 2, 3, 10, 59, 60, 61, 199, 200, 201, 9999, 10_000]))


def change_who(data: Snapshot, rng: Rng) -> None:
    name = pick(rng, ["active_seat", "starting_seat", "asked_seat"])
    data[name] = int(rng.integers(data["players"] + (data["mode"] == "solo" and name == "asked_seat")))


def change_decision(data: Snapshot, rng: Rng) -> None:
    data["decision"] = pick(rng, [decision.name for decision in Decision])
    for seat in data["seats"]:
        pending = seat.pop("pending", [])
        if data["decision"] in ("DRAFT", "PREP"):
            seat["pending"] = pending
    if data["decision"] == "DRAFT":
        for seat in data["seats"]:
            seat.setdefault("packet", [])
    else:
        for seat in data["seats"]:
            data["deck"] += seat.pop("packet", [])


def change_over(data: Snapshot, rng: Rng) -> None:
    data["over"] = not data["over"]
    data["decision"] = None if data["over"] else pick(rng, [decision.name for decision in Decision])
    data["asked_seat"] = None if data["over"] else int(rng.integers(len(data["seats"])))


def change_level(data: Snapshot, rng: Rng) -> None:
    if data["level"] is not None:
        data["level"] = pick(rng, ["standard", "super_droid", "cyborg"])
    data["edition"] = pick(rng, ["grey_fox", "board_and_dice"])


def finish_a_seat(data: Snapshot, rng: Rng) -> None:
    """Settle all colonists of a seat on ★."""
    seat = pick(rng, data["seats"])
    seat["star"][int(rng.integers(4))] += seat["earth"] + seat["ship"]
    seat["earth"] = seat["ship"] = 0


def change_under(data: Snapshot, rng: Rng) -> None:
    data["under"] = int(rng.integers(len(data["deck"]) + 2))


def change_pending(data: Snapshot, rng: Rng) -> None:
    """Replace a seat's pending setup choices with at most three cards."""
    seat = pick(rng, data["seats"])
    cards = pick(rng, [seat["hand"], seat.get("packet", []), data["deck"]])
    seat["pending"] = cards[: int(rng.integers(4))]


def change_handicap(data: Snapshot, rng: Rng) -> None:
    data["handicap"] = int(rng.choice([-1, 0, 1, 20, 21, 127]))


def any_value(data: Snapshot, rng: Rng) -> None:
    changed = mutated(data, rng)
    data.clear()
    data.update(changed if isinstance(changed, dict) else {"data": changed})


CHANGES: tuple[Change, ...] = (
    move_a_card, move_a_card_to_or_from_a_pile, change_a_prep_slot, swap_two_cards, change_knowledge,
    turn_a_card, move_a_colonist, change_energy, change_round, change_who, change_decision, change_over,
    change_level, change_under, change_pending, change_handicap, finish_a_seat, any_value,
)  # fmt: skip


def changed_position(rng: Rng) -> Position:
    """Return a fresh position after one to three changes, with its resume state, a changed one or None."""
    game = fresh(rng)
    data, resume_state = game.snapshot(), game.resume_state()
    if rng.random() < 0.8:  # with the scores, most changes would be refused because of them
        for seat in data["seats"]:
            del seat["score"]
    for _ in range(int(rng.integers(1, 4))):
        try:
            pick(rng, list(CHANGES))(data, rng)
        except (AttributeError, KeyError, TypeError, ValueError, IndexError, OverflowError):
            break  # an earlier change has damaged what this one would change
    choice = rng.random()
    if choice < 0.5:
        return data, None
    return data, resume_state if choice < 0.75 else changed_resume_state(resume_state, rng)


def changed_resume_state(resume_state: dict[str, int], rng: Rng) -> Any:
    changed = dict(resume_state)
    for _ in range(int(rng.integers(1, 3))):
        name = pick(rng, list(changed))
        changed[name] = int(rng.choice([-1, 0, 1, 2, 3, 5, 34, 60, 99, 200]))
    return mutated(resume_state, rng) if rng.random() < 0.2 else changed
