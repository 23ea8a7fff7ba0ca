"""Restores a state from a snapshot.

A snapshot does not show which effect is being resolved. Therefore, this module generates *candidates*: all
states that could belong to the snapshot. For most candidates, the engine starts from a state just before the
decision and advances to the decision. A candidate fits if its snapshot equals the given snapshot. If a resume
state (what the snapshot lacks; see `notation.py`) is given, the candidate with the same resume state is the
exact state. For most snapshots, including all snapshots at the decision TURN, only one candidate fits.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.gate import convert, plain
from pocketmars_env.core.position_codec import require
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import YES_NO_DECISIONS
from pocketmars_env.games.pocket_mars.rules.cards import (
    ALL_PROGRAMS,
    CARDS,
    FIRST_ABILITY,
    FIRST_BOTTOM,
    FIRST_TOP,
    PROGRAM_BUILDING,
)
from pocketmars_env.games.pocket_mars.rules.constants import (
    DA_SEAT,
    NO_CARD,
    NO_DECISION,
    NO_PROGRAM,
    NO_SEAT,
    Decision,
    Op,
    Stage,
)
from pocketmars_env.games.pocket_mars.rules.interpreter import DECISION_OF_OP
from pocketmars_env.games.pocket_mars.snapshots.entry_points import advance_at
from pocketmars_env.games.pocket_mars.snapshots.invariants import (
    SETUP,
    check_hands,
    check_table,
)
from pocketmars_env.games.pocket_mars.snapshots.notation import (
    LEFT_OUT,
    Snapshot,
    blank_states,
    set_of,
    snapshot,
)
from pocketmars_env.games.pocket_mars.snapshots.notation import resume_state as resume_state_of
from pocketmars_env.games.pocket_mars.snapshots.schema import ResumeState, TableSnapshot

Fields = dict[str, int]

FREE_FIELDS = ("seed", "draws", "shuffles", "draft", "da_agent", "round_limit")
"""Fields of a resume state that candidates do not determine."""


def states_from_snapshot(
    data: Snapshot, resume_state: Fields | None, settings: dict[str, Any]
) -> list[States]:
    """Return the positions that fit the snapshot; only one position if `resume_state` is given."""
    data = plain(convert(data, TableSnapshot, "snapshot"))
    if resume_state is not None:
        resume_state = plain(convert(resume_state, ResumeState, "resume state"))
        settings = {"da_agent": bool(resume_state["da_agent"]), "round_limit": resume_state["round_limit"]}
    config = config_of_snapshot(data, settings)
    check_form(data, config)
    check_table(data)
    data = with_scores(data, config)
    guesses = (before(data, config, fields) for fields in candidates(data))
    positions = [states for states in guesses if snapshot(states) == data]
    if resume_state is not None:
        positions = [with_resume_state(positions, resume_state)]
    sound, complaint = [], "no position of the game has this snapshot"
    for states in positions:
        try:
            check_hands(data, resume_state_of(states))
            require(data["over"] or states["legal_actions"].any(), f"{data['decision']} has no legal action")
            sound.append(states)
        except ValueError as error:
            complaint = str(error)
    if not sound:
        raise ValueError(complaint)
    return sound


def check_record(states: States) -> None:
    """Raise a ValueError unless the snapshot and the resume state of a record restore it exactly."""
    try:
        data = snapshot(states)
    except (IndexError, ValueError) as error:
        raise ValueError(f"invalid record: {error}") from error
    for restored in states_from_snapshot(data, resume_state_of(states), {}):
        if restored.tobytes() == states.tobytes():
            return
    raise ValueError("invalid record: its snapshot and resume state restore a different record")


def config_of_snapshot(data: Snapshot, settings: dict[str, Any]) -> GameConfig:
    is_da_to_play = data["mode"] == "solo" and data["asked_seat"] == DA_SEAT
    return GameConfig(
        players=data["players"],
        mode=data["mode"],
        level=data["level"],
        edition=data["edition"],
        draft=data["decision"] == Decision.DRAFT.name,
        da_agent=settings["da_agent"] or is_da_to_play,
        round_limit=settings["round_limit"],
        handicap=data["handicap"],
        small=data["small"],
    )


def check_form(data: Snapshot, config: GameConfig) -> None:
    """Check what the schema cannot express: entries whose presence or range depends on other entries."""
    for name in ("players", "level"):  # `GameConfig` accepts values that it replaces
        require(data[name] == getattr(config, name), f"{name} must be {getattr(config, name)!r}")
    limit = config.round_limit or 0
    require(data["round"] <= limit, f"round {data['round']} is beyond the limit {limit}")
    require(len(data["seats"]) == config.seats, f"seats must have {config.seats} entries")
    seats = {"starting_seat": config.players, "active_seat": config.players, "asked_seat": config.seats}
    for name, number in seats.items():
        require((data[name] or 0) < number, f"{name} must be below {number}, got {data[name]}")
    is_over = data["over"]
    for name in ("decision", "asked_seat"):
        require((data[name] is None) == is_over, f"{name} must be None if and only if the game is over")
    for name, decisions in (("pending", SETUP), ("packet", SETUP[:1])):
        for seat, entry in enumerate(data["seats"]):
            is_there = data["decision"] in decisions
            require(
                (name in entry) == is_there, f"seats[{seat}] must {'' if is_there else 'not '}have {name}"
            )


def with_scores(data: Snapshot, config: GameConfig) -> Snapshot:
    """Return the snapshot with the scores of all seats; raise a ValueError if a given score is wrong."""
    computed = snapshot(states_of(data, config))["seats"]
    seats = []
    for number, (seat, expected) in enumerate(zip(data["seats"], computed, strict=True)):
        score = seat.get("score", expected["score"])
        require(
            score == expected["score"], f"the score of seat {number} is {expected['score']}, got {score!r}"
        )
        seats.append({**seat, "score": score})
    rest = {key: value for key, value in data.items() if key not in LEFT_OUT or value}
    return {**rest, "seats": seats}


# --- building -------------------------------------------------------------------------------------


def states_of(data: Snapshot, config: GameConfig) -> States:
    """Return a ``(1,)`` `STATE` array with the contents of a snapshot but without a decision."""
    states = blank_states(1, config)
    state = states[0]
    state["round_number"] = data["round"]
    for name in ("starting_seat", "active_seat", "over", "under"):
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
    pending = seat.get("pending", [])
    record["pending"][: len(pending)] = pending
    for name in ("earth", "ship", "energy"):
        record[name] = seat[name]
    for name in ("star", "star2"):
        record[name][:] = seat[name]


def with_resume_state(positions: list[States], resume_state: Fields) -> States:
    """Return the position that has the given resume state, once its `FREE_FIELDS` are set from it."""
    for states in positions:
        for name in FREE_FIELDS:
            states[name] = resume_state[name]
        if resume_state_of(states) == resume_state:
            return states
    raise ValueError("this resume state does not belong to this snapshot")


def before(data: Snapshot, config: GameConfig, fields: Fields) -> States:
    """Return a candidate: the snapshot's state with `fields` set.

    Unless the game is over, the engine then advances the candidate to a decision.
    """
    states = states_of(data, config)
    state = states[0]
    left = fields.get("left")
    for name, value in fields.items():
        state[name] = value
    if not data["over"]:
        state["seats"][data["asked_seat"]]["hand"] &= ~fields.get("drawn", 0)
        advance_at(states, 0)
        if left is not None and state["program"] != NO_PROGRAM:
            # the engine sets the maximum, but some choices of this line may already have been made
            state["left"] = left
    return states


# --- guessing -------------------------------------------------------------------------------------


def candidates(data: Snapshot) -> Iterator[Fields]:
    """For each candidate position, yields the fields that `before` sets."""
    if data["over"]:
        yield {"stage": Stage.TURN, "truncated": int(not has_ended(data) and not data.get("small"))}
        return
    decision = Decision[data["decision"]]
    if decision <= Decision.TURN:
        yield from setups(data, decision)
    elif decision in OUTSIDE_CARDS:
        yield from outside_cards(data, decision)
    elif decision in YES_NO_DECISIONS and decision != Decision.SETTLE_MORE:
        yield from plays(data, decision)
    else:
        yield from programs(data, decision)


def setups(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """Yield the only candidate for DRAFT, PREP or TURN."""
    seat, players = data["asked_seat"], data["players"]
    pending = sum(len(entry.get("pending", [])) for entry in data["seats"][:players])
    if decision == Decision.DRAFT:
        kept = sum(len(entry["hand"]) for entry in data["seats"][:players])
        # the decision is set directly, because the engine would pass the packets again
        at_decision = {"decision": int(decision), "to_play": seat}
        yield {"stage": Stage.DRAFT, "served": kept + pending + 1, **at_decision}
    elif decision == Decision.PREP:
        yield {"stage": Stage.PREP, "served": pending}
    else:
        yield {"stage": Stage.TURN}


def has_ended(data: Snapshot) -> bool:
    """Return whether the game would end by the rules if this were the end of a round."""
    is_da_out = data["mode"] == "solo" and None in data["seats"][DA_SEAT]["prep"]
    return is_da_out or any(entry["earth"] == entry["ship"] == 0 for entry in data["seats"])


OUTSIDE_CARDS = (
    Decision.DISCARD, Decision.FILL, Decision.DRAW, Decision.DISCARD_DA, Decision.DA_UPGRADE,
    Decision.DA_SETTLE,
)  # fmt: skip


def outside_cards(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """Yield candidates for the 4-card rule, for DISCARD_DA, and for the choices of Devious Automatics."""
    seat = data["asked_seat"]
    at_decision = {"decision": int(decision), "to_play": seat}
    if decision == Decision.DA_UPGRADE:
        yield from ({"stage": Stage.DA_UPGRADES, "left": left} for left in (2, 1))
    elif decision == Decision.DISCARD_DA:
        yield {"stage": Stage.END_ACTION, **at_decision}
    elif decision == Decision.DA_SETTLE:
        yield {"stage": Stage.REFILL, **at_decision}
    else:
        served = (seat - data["active_seat"]) % data["players"]
        yield {"stage": Stage.FOUR_CARDS, "actor": seat, "served": served}


def played_cards(data: Snapshot) -> list[int]:
    """Return the cards that may just have been played from a prep module: the piles' face-up top cards."""
    return [pile[-1][0] for pile in data["piles"] if pile and pile[-1][1]]


def owners(data: Snapshot) -> list[int]:
    """Return the seats with an empty prep slot, from which a card may just have been played."""
    return [seat for seat, entry in enumerate(data["seats"]) if None in entry["prep"]]


def plays(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """Yield candidates for SETTLE, BOTTOM and ABILITY, after a card was played from a prep module."""
    stage = {Decision.SETTLE: Stage.SETTLE, Decision.BOTTOM: Stage.BOTTOM, Decision.ABILITY: Stage.ABILITY}
    for card in played_cards(data):
        for owner in owners(data):
            if decision != Decision.BOTTOM or owner == data["asked_seat"]:
                yield {"stage": stage[decision], "played": card, "owner": owner}


def programs(data: Snapshot, decision: Decision) -> Iterator[Fields]:
    """Yield candidates for a decision within a card half or an ability."""
    for fields in running(data):
        program = ALL_PROGRAMS[fields["program"]]
        for line, (op, amount) in enumerate(program):
            if decision in decisions_of(op):
                for extra in half_made(data, decision, op):
                    for left in range(amount, 0, -1):
                        is_to_play = "decision" in extra  # `line` is already the next line
                        yield {**fields, "line": line + is_to_play, "left": left, **extra}


SECOND_HALF = {Decision.SWAP_HAND: Decision.SWAP_PREP, Decision.SWAP_PREP: Decision.SWAP_OTHER}
"""The second decision of an op with two decisions, keyed by the first decision."""


def decisions_of(op: Op) -> set[Decision]:
    number = int(DECISION_OF_OP[op])
    if number == NO_DECISION:
        return set()
    first = Decision(number)
    return {first, SECOND_HALF.get(first, first)}


def running(data: Snapshot) -> Iterator[Fields]:
    """For each program that may be running, yields fields such as its number, actor and next stage."""
    seat = data["asked_seat"]
    if data["in_play"] and (Op.ACT_AGAIN, 1) not in CARDS[data["in_play"][-1]].top:
        if seat != data["active_seat"]:
            return
        top = FIRST_TOP + data["in_play"][-1]
        yield {"stage": Stage.END_ACTION, "program": top, "actor": seat, "owner": NO_SEAT}
        return
    for card in played_cards(data):
        bottom, ability = FIRST_BOTTOM + card, FIRST_ABILITY + int(PROGRAM_BUILDING[card])
        fields = {"actor": seat, "played": card}
        yield {"stage": Stage.ABILITY, "program": bottom, "owner": seat, **fields}
        if seat == data["active_seat"]:
            for owner in owners(data):
                yield {"stage": Stage.END_ACTION, "program": ability, "owner": owner, **fields}


def half_made(data: Snapshot, decision: Decision, op: Op) -> Iterator[Fields]:
    """Yield fields that the program's draws, or earlier choices for the same op, may have set."""
    is_second = int(DECISION_OF_OP[op]) != decision
    entry = data["seats"][data["asked_seat"]]
    at_decision = {"decision": int(decision), "to_play": data["asked_seat"]}
    if decision == Decision.KEEP:
        for pair in combinations(entry["hand"], 2):
            yield {"drawn": set_of(list(pair))}
    elif decision == Decision.SWAP_OTHER:
        yield from ({"picked": card, **at_decision} for card in entry["prep"] if card is not None)
    elif decision == Decision.SWAP_PREP and is_second:
        yield from ({"picked": card, **at_decision} for card in entry["hand"])
    else:
        yield {}
