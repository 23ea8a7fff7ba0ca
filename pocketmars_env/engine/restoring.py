"""From a snapshot back to a state.

A snapshot does not show which line of which card is being resolved. With its bookmark the state is
exact. Without one, every position that could stand behind the snapshot is tried: the state is set
to just before the question, the engine asks it anew, and the position fits if the snapshot is the
same. Most snapshots (every TURN) have one such position.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from pocketmars_env.engine import batch
from pocketmars_env.engine.actions import YES_NO_DECISIONS
from pocketmars_env.engine.cards import (
    ALL_PROGRAMS,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
    NUM_CARDS,
    PROGRAM_BUILDING,
    SUIT_CARDS,
)
from pocketmars_env.engine.config import EDITIONS, GameConfig, check_choice
from pocketmars_env.engine.constants import (
    COLONISTS,
    DA_SEAT,
    MAX_ENERGY,
    NO_CARD,
    NO_DECISION,
    NO_SEAT,
    NUM_BUILDINGS,
    NUM_SUITS,
    PREP_SLOTS,
    Decision,
    Stage,
)
from pocketmars_env.engine.interpreter import DECISION_OF_OP
from pocketmars_env.engine.notation import (
    BOOKMARK_FIELDS,
    Snapshot,
    blank_states,
    check_cards,
    set_of,
    snapshot,
)
from pocketmars_env.engine.state import States

Fields = dict[str, int]

KEYS = {
    "players", "mode", "edition", "level", "round", "starting_seat", "active_seat", "asked_seat",
    "decision", "over", "deck", "discard", "in_play", "piles", "seats",
}  # fmt: skip
SEAT_KEYS = {"hand", "prep", "earth", "ship", "energy", "star", "star2", "knows"}


def states_from_snapshot(data: Snapshot, bookmark: Fields | None, settings: dict[str, Any]) -> list[States]:
    """All positions that fit the snapshot, each an array of one game; the likeliest first.

    Args:
        data: a snapshot.
        bookmark: what it does not show, or None.
        settings: ``da_agent`` and ``round_limit`` of the game, used without a bookmark.

    Raises:
        ValueError: says what is wrong with the snapshot or bookmark, and what is accepted.

    """
    check_snapshot(data)
    config = config_of_snapshot(data, settings)
    data = with_scores(data, config)
    if bookmark is not None:
        return [with_bookmark(data, config, bookmark)]
    found = [states for fields in candidates(data) if fits(states := before(data, config, fields), data)]
    if not found:
        raise ValueError(
            f"no position of the game has this snapshot (decision {data['decision']!r}, "
            f"asked seat {data['asked_seat']!r})"
        )
    return found


def config_of_snapshot(data: Snapshot, settings: dict[str, Any]) -> GameConfig:
    """The game's settings, as far as the snapshot shows them."""
    is_da_asked = data["mode"] == "solo" and data["asked_seat"] == DA_SEAT
    return GameConfig(
        players=data["players"],
        mode=data["mode"],
        level=data["level"],
        edition=data["edition"],
        draft=data["decision"] == Decision.DRAFT.name,
        da_agent=bool(settings.get("da_agent")) or is_da_asked,
        round_limit=settings.get("round_limit"),
    )


def with_scores(data: Snapshot, config: GameConfig) -> Snapshot:
    """The snapshot with every seat's score, which follows from the rest and may be left out."""
    shown = snapshot(table_of(data, config))["seats"]
    seats = []
    for number, (seat, true) in enumerate(zip(data["seats"], shown, strict=True)):
        given = seat.get("score", true["score"])
        require(given == true["score"], f"the score of seat {number} is {true['score']}, got {given!r}")
        seats.append({**seat, "score": given})
    return {**data, "seats": seats}


# --- checking -------------------------------------------------------------------------------------


def require(condition: object, complaint: str) -> None:
    """Raise a ValueError about the snapshot unless the condition holds."""
    if not condition:
        raise ValueError(f"bad snapshot: {complaint}")


def is_count(value: object, most: int, least: int = 0) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def check_snapshot(data: Snapshot) -> None:
    """Raise a ValueError that says what is wrong, unless `data` has the form of a snapshot."""
    require(isinstance(data, dict), f"it must be a dict, got {type(data).__name__}")
    require(set(data) == KEYS, f"its keys must be {sorted(KEYS)}, got {sorted(map(str, data))}")
    check_choice("edition", data["edition"], EDITIONS)
    config = GameConfig(players=data["players"], mode=data["mode"], level=data["level"])
    require(is_count(data["round"], 10_000, 1), f"round must be 1, 2, ..., got {data['round']!r}")
    require(isinstance(data["over"], bool), f"over must be True or False, got {data['over']!r}")
    for name in ("starting_seat", "active_seat"):
        require(is_count(data[name], config.players - 1), f"{name} is not a player's seat: {data[name]!r}")
    names = [decision.name for decision in Decision]
    if data["over"]:
        names, seats = [None], [None]  # type: ignore[list-item]  # a finished game asks nothing
    else:
        seats = list(range(config.seats))  # type: ignore[assignment]
    require(data["decision"] in names, f"decision must be one of {names}, got {data['decision']!r}")
    require(data["asked_seat"] in seats, f"asked_seat must be one of {seats}, got {data['asked_seat']!r}")
    require(
        isinstance(data["seats"], list) and len(data["seats"]) == config.seats,
        f"seats must hold {config.seats} entries",
    )
    for number, seat in enumerate(data["seats"]):
        check_seat(number, seat, data["decision"] == Decision.DRAFT.name)
    check_all_cards(data)


def check_seat(number: int, seat: Snapshot, is_drafting: bool) -> None:
    keys = SEAT_KEYS | ({"packet"} if is_drafting else set())
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


def check_all_cards(data: Snapshot) -> None:
    """Every card must be in exactly one place."""
    require(isinstance(data["piles"], list) and len(data["piles"]) == NUM_SUITS, "piles must hold 5 piles")
    piled = [check_cards(f"piles[{i}]", [card for card, _ in pile]) for i, pile in enumerate(data["piles"])]
    for building, pile in enumerate(piled):
        require(
            all(SUIT_CARDS[building] >> card & 1 for card in pile),
            f"piles[{building}] holds a card of another suit: {pile}",
        )
    places = [*piled, *(check_cards(name, data[name]) for name in ("deck", "discard", "in_play"))]
    require(len(data["in_play"]) <= 2, "in_play holds at most 2 cards")
    for number, seat in enumerate(data["seats"]):
        for name in ("hand", "packet"):
            places.append(check_cards(f"{name} of seat {number}", seat.get(name, [])))
        places.append(check_cards(f"prep of seat {number}", [c for c in seat["prep"] if c is not None]))
        check_cards(f"knows of seat {number}", seat["knows"])
    found = sorted(sum(places, []))
    require(
        found == list(range(NUM_CARDS)),
        f"each of the {NUM_CARDS} cards must be in one place; missing "
        f"{sorted(set(range(NUM_CARDS)) - set(found))}, twice {sorted({c for c in found if found.count(c) > 1})}",
    )


# --- building -------------------------------------------------------------------------------------


def table_of(data: Snapshot, config: GameConfig) -> States:
    """A state with everything that the snapshot shows, and no question."""
    states = blank_states(1, config)
    state = states[0]
    for name in ("round", "starting_seat", "active_seat", "over"):
        state[name] = data[name]
    for name in ("deck", "discard", "in_play"):
        cards = data[name][::-1] if name == "deck" else data[name]
        state[name][: len(cards)] = cards
        state[f"{name}_size"] = len(cards)
    for building, pile in enumerate(data["piles"]):
        state["pile"][building][: len(pile)] = [card for card, _ in pile]
        state["pile_size"][building] = len(pile)
        state["face_down"] |= set_of([card for card, is_up in pile if not is_up])
    for number, seat in enumerate(data["seats"]):
        fill_seat(state["seats"][number], seat)
    return states


def fill_seat(record: Any, seat: Snapshot) -> None:
    for name in ("hand", "knows", "packet"):
        record[name] = set_of(seat.get(name, []))
    record["prep"][:] = [NO_CARD if card is None else card for card in seat["prep"]]
    for name in ("earth", "ship", "energy"):
        record[name] = seat[name]
    for name in ("star", "star2"):
        record[name][:] = seat[name]


def with_bookmark(data: Snapshot, config: GameConfig, bookmark: Fields) -> States:
    """The exact state of a snapshot and its bookmark."""
    if not isinstance(bookmark, dict) or set(bookmark) != set(BOOKMARK_FIELDS):
        raise ValueError(f"a bookmark has the keys {sorted(BOOKMARK_FIELDS)}, got {bookmark!r}")
    states = table_of(data, config)
    state = states[0]
    try:
        for name, value in bookmark.items():
            state[name] = value
    except (OverflowError, TypeError, ValueError) as error:
        raise ValueError(f"bad bookmark: {name} cannot be {value!r}") from error
    if not data["over"]:
        state["asked_seat"] = data["asked_seat"]
        state["decision"] = Decision[data["decision"]]
        state["seats"][data["asked_seat"]]["hand"] &= ~bookmark["drawn"]
        batch.list_answers_at(states, 0)
    if snapshot(states) != data:
        raise ValueError("this bookmark does not belong to this snapshot")
    return states


def before(data: Snapshot, config: GameConfig, fields: Fields) -> States:
    """The state just before its question, advanced to it."""
    states = table_of(data, config)
    state = states[0]
    left = fields.get("left")
    for name, value in fields.items():
        state[name] = value
    if not data["over"]:
        state["seats"][data["asked_seat"]]["hand"] &= ~fields.get("drawn", 0)
        batch.advance_at(states, 0)
        if left is not None and state["decision"] != NO_DECISION:
            state["left"] = left
    return states


def fits(states: States, data: Snapshot) -> bool:
    return snapshot(states) == data


# --- guessing -------------------------------------------------------------------------------------


def candidates(data: Snapshot) -> Iterator[Fields]:
    """Fields that would make the engine ask the snapshot's question next."""
    if data["over"]:
        yield {"stage": Stage.END_ROUND, "truncated": int(not has_ended(data))}
        return
    decision = Decision[data["decision"]]
    seat, players = data["asked_seat"], data["players"]
    if decision == Decision.DRAFT:
        kept = sum(len(entry["hand"]) for entry in data["seats"][:players])
        if (data["starting_seat"] + kept) % players == seat:
            # asked directly: the packets have been passed already
            question = {"decision": int(decision), "asked_seat": seat}
            yield {"stage": Stage.DRAFT, "served": kept + 1, **question}
    elif decision == Decision.PREP:
        filled = [card for entry in data["seats"][:players] for card in entry["prep"] if card is not None]
        yield {"stage": Stage.PREP, "served": len(filled)}
    elif decision == Decision.TURN:
        yield {"stage": Stage.TURN}
    elif decision in (Decision.DISCARD, Decision.FILL, Decision.DRAW):
        yield {"stage": Stage.FOUR_CARDS, "actor": seat, "served": (seat - data["active_seat"]) % players}
    elif decision == Decision.DA_UPGRADE:
        yield from ({"stage": Stage.DA_UPGRADES, "left": left} for left in (2, 1))
    elif decision == Decision.DISCARD_DA:
        yield {"stage": Stage.END_ACTION, "decision": decision, "asked_seat": seat}
    elif decision == Decision.DA_SETTLE:
        yield {"stage": Stage.REFILL, "decision": decision, "asked_seat": seat}
    elif decision in YES_NO_DECISIONS and decision != Decision.SETTLE_MORE:
        yield from plays(data, decision)
    else:
        yield from programs(data, decision)


def has_ended(data: Snapshot) -> bool:
    """Whether the game's own end condition holds (else the round limit ended it)."""
    if any(seat["earth"] == 0 and seat["ship"] == 0 for seat in data["seats"]):
        return True
    return data["mode"] == "solo" and None in data["seats"][DA_SEAT]["prep"]


def played_cards(data: Snapshot) -> list[int]:
    """Cards that may just have been played from a prep module: face up on top of a pile."""
    return [pile[-1][0] for pile in data["piles"] if pile and pile[-1][1]]


def plays(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """SETTLE, BOTTOM or ABILITY, after some card was played from some prep module."""
    stage = {Decision.SETTLE: Stage.SETTLE, Decision.BOTTOM: Stage.BOTTOM, Decision.ABILITY: Stage.ABILITY}
    for card in played_cards(data):
        for owner, entry in enumerate(data["seats"]):
            is_asked = decision != Decision.BOTTOM or owner == data["asked_seat"]
            if is_asked and (None in entry["prep"] or decision == Decision.ABILITY):
                yield {"stage": stage[decision], "played": card, "owner": owner}


def programs(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """A choice within a card half or an ability."""
    for fields in running(data):
        program = ALL_PROGRAMS[fields["program"]]
        for line, (op, amount) in enumerate(program):
            if decision in asked_by(int(DECISION_OF_OP[op])):
                for extra in half_made(data, decision):
                    for left in range(amount, 0, -1):
                        yield {**fields, "line": line, "left": left, **extra}


def asked_by(decision: int) -> set[int]:
    """What an op asks that begins with `decision`."""
    second = {Decision.SWAP_HAND: {Decision.SWAP_PREP}, Decision.SWAP_PREP: {Decision.SWAP_OTHER}}
    return {decision} | {int(follow) for follow in second.get(decision, ())} if decision >= 0 else set()


def running(data: Snapshot) -> Iterator[Fields]:
    """The programs that may be running, by whom, and what comes after them."""
    seat = data["asked_seat"]
    again = [
        card
        for card, half in enumerate(ALL_PROGRAMS[:NUM_CARDS])
        if any(op.name == "ACT_AGAIN" for op, _ in half)
    ]
    if data["in_play"] and data["in_play"][-1] not in again:
        top = FIRST_TOP + data["in_play"][-1]
        yield {"stage": Stage.END_ACTION, "program": top, "actor": seat, "owner": NO_SEAT}
        return
    for card in played_cards(data):
        bottom, ability = FIRST_BOTTOM + card, FIRST_ABILITY + int(PROGRAM_BUILDING[card])
        yield {"stage": Stage.ABILITY, "program": bottom, "actor": seat, "owner": seat, "played": card}
        if seat == data["active_seat"]:
            yield {
                "stage": Stage.END_ACTION,
                "program": ability,
                "actor": seat,
                "owner": seat,
                "played": card,
            }


def half_made(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """What has already been chosen or drawn when the second half of an op is asked."""
    entry = data["seats"][data["asked_seat"]]
    question = {"decision": int(decision), "asked_seat": data["asked_seat"]}
    if decision == Decision.KEEP:
        for pair in combinations(entry["hand"], 2):
            yield {"drawn": set_of(list(pair))}
    elif decision == Decision.SWAP_OTHER:
        yield from ({"picked": card, **question} for card in entry["prep"] if card is not None)
    elif decision == Decision.SWAP_PREP and data["in_play"]:
        yield {}
        yield from ({"picked": card, **question} for card in entry["hand"])
    else:
        yield {}
