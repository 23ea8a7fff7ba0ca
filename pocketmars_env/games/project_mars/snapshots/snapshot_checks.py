"""Checks a snapshot before any kernel uses its data.

After these checks, `from_snapshot.py` restores the state, requires at least two legal actions unless the game
is over, and compares the given snapshot with a snapshot of the restored state. The comparison covers all
keys, including those whose values are derived: ``pwr``, ``tpr``, ``lanes`` and ``works``.
"""

from collections import Counter
from itertools import chain
from typing import Any

from pocketmars_env.core.snapshot_checks import is_count, require
from pocketmars_env.games.project_mars.config import MODES, checked_list
from pocketmars_env.games.project_mars.rules.cards import CARDS, NUM_FIELD_TYPES, NUM_TYPES, SUBTYPES
from pocketmars_env.games.project_mars.rules.constants import (
    BONUS,
    DECK_SIZE,
    HAND_LIMIT,
    MAX_TRADES,
    ROUNDS,
    SEATS,
    SLOTS,
    Decision,
    Kind,
    Op,
    Subtype,
)
from pocketmars_env.games.project_mars.snapshots.notation import ZONES, Snapshot

KEYS = {
    "game", "mode", "round", "first_seat", "turn_seat", "asked_seat", "decision", "over", "gas", "results",
    "lanes", "left", "effect", "seats",
}  # fmt: skip
SEAT_KEYS = {
    "decklist", *ZONES, "deck", "junkyard", "utility", "utility_used", "passed", "wins", "tpr", "field",
}  # fmt: skip
SLOT_KEYS = {"card", "seat", "pwr", "bonus", "zeroed", "disabled", "works"}
EFFECT_KEYS = {"card", "seat", "slot"}
OUTSIDE_TURNS = (Decision.MULLIGAN.name, Decision.KEEP.name)
OF_TRAPS = (Decision.TRAP.name, Decision.COME_BACK.name)
OPS_OF = {
    Decision.TARGET.name: (
        Op.DESTROY_ONE, Op.DISABLE_ONE, Op.BOOST_ONE, Op.ZERO_ONE, Op.DISCARD_TO_DESTROY,
    ),
    Decision.GIVE.name: (Op.FIND_UTILITY,),
    Decision.TAKE.name: (Op.FIND_UTILITY,),
    Decision.DISCARD.name: (Op.DISCARD_TO_DESTROY,),
    Decision.TRAP.name: (Op.REVEAL_OR_COME_BACK, Op.LOSE_OR_COME_BACK),
    Decision.COME_BACK.name: (Op.REVEAL_OR_COME_BACK, Op.LOSE_OR_COME_BACK),
}  # fmt: skip
"""For each decision that a card's effect causes, the ops that can cause it."""
MOST_BONUSES = 8
MOST_TPR = 80


def check_snapshot(data: Snapshot) -> None:
    """Raise a ValueError if `data` has the wrong form for a snapshot, or if its parts contradict each other.

    Some positions that cannot arise in a game pass these checks.
    """
    require(isinstance(data, dict), f"it must be a dict, got {type(data).__name__}")
    require(set(data) == KEYS, f"its keys must be {sorted(KEYS)}, got {sorted(map(str, data))}")
    require(data["game"] == "project_mars", f"game must be 'project_mars', got {data['game']!r}")
    require(data["mode"] in MODES, f"mode must be one of {', '.join(MODES)}, got {data['mode']!r}")
    require(is_count(data["round"], ROUNDS, 1), f"round must be 1, 2 or 3, got {data['round']!r}")
    for name in ("over", "gas"):
        require(type(data[name]) is bool, f"{name} must be True or False, got {data[name]!r}")
    seats = data["seats"]
    require(isinstance(seats, list) and len(seats) == SEATS, "seats must be a list of 2 entries")
    for number, seat in enumerate(seats):
        check_seat(number, seat)
    has_two_decks = seats[0]["decklist"] != seats[1]["decklist"]
    require(data["mode"] != "same" or not has_two_decks, "in the mode 'same', the deck lists must be equal")
    check_seats_named(data)
    check_results(data)
    check_effect(data)
    check_cards(data)
    check_time(data)


def check_seat(number: int, seat: Any) -> None:
    """Check the entry of one seat: its keys, values, deck list, hands and slots."""
    require(
        isinstance(seat, dict) and set(seat) == SEAT_KEYS,
        f"the keys of seat {number} must be {sorted(SEAT_KEYS)}",
    )
    for zone in ("decklist", *ZONES, "deck", "junkyard"):
        cards = seat[zone]
        is_list = isinstance(cards, list) and all(is_count(card, NUM_TYPES - 1) for card in cards)
        require(is_list, f"{zone} of seat {number} must be a list of types in 0..{NUM_TYPES - 1}")
        require(zone == "deck" or cards == sorted(cards), f"{zone} of seat {number} must be ascending")
    try:
        checked_list(f"decklist of seat {number}", seat["decklist"], DECK_SIZE)
    except ValueError as error:
        raise ValueError(f"bad snapshot: {error}") from error
    for name in ("utility_used", "passed"):
        require(type(seat[name]) is bool, f"{name} of seat {number} must be True or False")
    utility = seat["utility"]
    is_utility = utility is None or is_count(utility, NUM_TYPES - 1, NUM_FIELD_TYPES)
    require(is_utility, f"utility of seat {number} must be None or a UTILITY type, got {utility!r}")
    require(
        is_count(seat["wins"], ROUNDS), f"wins of seat {number} must be in 0..{ROUNDS}, got {seat['wins']!r}"
    )
    field = seat["field"]
    require(
        isinstance(field, list) and len(field) == SLOTS, f"field of seat {number} must have {SLOTS} slots"
    )
    for slot, entry in enumerate(field):
        if entry is not None:
            check_slot(number, slot, entry)
    for hand, revealed in (("hand", "revealed"), ("back_hand", "back_revealed")):
        require(len(seat[hand]) <= HAND_LIMIT, f"{hand} of seat {number} has more than {HAND_LIMIT} cards")
        missing = Counter(seat[revealed]) - Counter(seat[hand])
        require(not missing, f"all cards in {revealed} of seat {number} must be in {hand}")


def check_slot(number: int, slot: int, entry: Any) -> None:
    """Check the entry of a card on a field, including its bonus and its zeroed and disabled flags."""
    where = f"slot {slot} of seat {number}"
    require(
        isinstance(entry, dict) and set(entry) == SLOT_KEYS,
        f"the keys of {where} must be {sorted(SLOT_KEYS)}",
    )
    require(
        is_count(entry["card"], NUM_FIELD_TYPES - 1),
        f"card in {where} must be a type in 0..{NUM_FIELD_TYPES - 1}",
    )
    require(is_count(entry["seat"], SEATS - 1), f"seat in {where} must be 0 or 1")
    card, subtypes = CARDS[entry["card"]], int(SUBTYPES[entry["card"]])
    can_come_back = any(line.op in OPS_OF[Decision.TRAP.name] for line in card.program)
    if entry["seat"] != number:
        require(card.kind == Kind.TRAP, f"{card.name} in {where} is on the enemy's field but is not a trap")
    else:
        require(
            card.kind != Kind.TRAP or can_come_back, f"{card.name} in {where} is a trap that cannot come back"
        )
    for name in ("zeroed", "disabled", "works"):
        require(type(entry[name]) is bool, f"{name} in {where} must be True or False")
    bonus = entry["bonus"]
    require(is_count(bonus, MOST_BONUSES) and bonus % BONUS == 0, f"bonus in {where} must be 0, 2, 4, 6 or 8")
    require(
        not bonus or subtypes & (Subtype.UNIT | Subtype.VEHICLE),
        f"{card.name} in {where} cannot have a bonus",
    )
    can_be_zeroed = subtypes & (Subtype.UNIT | Subtype.BUILDING)
    require(not entry["zeroed"] or can_be_zeroed, f"{card.name} in {where} cannot be zeroed")
    can_be_disabled = subtypes & Subtype.ARTIFICIAL
    require(not entry["disabled"] or can_be_disabled, f"{card.name} in {where} cannot be disabled")


def check_seats_named(data: Snapshot) -> None:
    """Check the seat to play, the seat whose turn it is, the first player, and the decision."""
    names = [None] if data["over"] else [decision.name for decision in Decision]
    require(data["decision"] in names, f"decision must be one of {names}, got {data['decision']!r}")
    require(data["round"] > 1 or data["decision"] != Decision.KEEP.name, "KEEP is not a decision of round 1")
    is_in_turn = not data["over"] and data["decision"] not in OUTSIDE_TURNS
    is_drawn = data["round"] > 1 or data["decision"] != Decision.MULLIGAN.name
    for name, is_set in (
        ("asked_seat", not data["over"]),
        ("turn_seat", is_in_turn),
        ("first_seat", is_drawn),
    ):
        accepted = list(range(SEATS)) if is_set else [None]
        is_accepted = is_count(data[name], SEATS - 1) if is_set else data[name] is None
        require(is_accepted, f"{name} must be one of {accepted}, got {data[name]!r}")


def check_results(data: Snapshot) -> None:
    """Check the results, and check that the rounds won and the end of the game agree with them."""
    results, finished = data["results"], data["round"] - 1 + data["over"]
    is_list = isinstance(results, list) and len(results) == finished
    require(is_list, f"results must be a list of {finished} rounds, got {results!r}")
    for result in results:
        is_pair = isinstance(result, list) and len(result) == SEATS
        require(
            is_pair and all(is_count(tpr, MOST_TPR) for tpr in result),
            f"a result must be two TPR values, got {result!r}",
        )
    for seat in range(SEATS):
        wins = sum(result[seat] > result[1 - seat] for result in results)
        require(data["seats"][seat]["wins"] == wins, f"wins of seat {seat} must be {wins}, as in results")
    after_two = [sum(result[seat] > result[1 - seat] for result in results[:2]) for seat in range(SEATS)]
    if len(results) >= 2:
        is_decided = after_two[0] != after_two[1]
        is_right = data["over"] if is_decided else len(results) == ROUNDS or not data["over"]
        is_right = is_right and not (is_decided and len(results) == ROUNDS)
        require(is_right, "results does not agree with round and over")
    else:
        require(not data["over"], "over must be False in round 1")


def check_effect(data: Snapshot) -> None:
    """Check the card whose effect causes the decision, if any, and the value of ``left``."""
    effect, decision = data["effect"], data["decision"]
    if decision not in OPS_OF:
        require(effect is None, f"effect must be None at {decision}, got {effect!r}")
        limit = MAX_TRADES if decision == Decision.MULLIGAN.name else 0
        require(
            is_count(data["left"], limit, min(limit, 1)),
            f"left must be in {min(limit, 1)}..{limit}, got {data['left']!r}",
        )
        return
    require(
        isinstance(effect, dict) and set(effect) == EFFECT_KEYS,
        f"effect must have the keys {sorted(EFFECT_KEYS)}",
    )
    require(is_count(effect["card"], NUM_TYPES - 1), f"card of effect must be a type, got {effect['card']!r}")
    card, to_play, turn = CARDS[effect["card"]], data["asked_seat"], data["turn_seat"]
    require(card.program and card.program[0].op in OPS_OF[decision], f"{card.name} does not cause {decision}")
    is_trap = decision in OF_TRAPS
    player = 1 - turn if is_trap else turn
    require(effect["seat"] == player, f"seat of effect must be {player}, got {effect['seat']!r}")
    expected = player if decision == Decision.COME_BACK.name else turn
    require(to_play == expected, f"asked_seat at {decision} must be {expected}, got {to_play}")
    is_utility = effect["card"] >= NUM_FIELD_TYPES
    if is_utility:
        require(effect["slot"] is None, f"slot of effect must be None for a UTILITY, got {effect['slot']!r}")
        require(
            data["seats"][turn]["utility"] == effect["card"], f"utility of seat {turn} must be {card.name}"
        )
    else:
        require(is_count(effect["slot"], SLOTS - 1), f"slot of effect must be in 0..{SLOTS - 1}")
        check_effect_slot(data, effect, turn, is_trap)
    limit = SLOTS if is_utility else 0
    require(
        is_count(data["left"], limit, min(limit, 1)),
        f"left must be in {min(limit, 1)}..{limit}, got {data['left']!r}",
    )


def check_effect_slot(data: Snapshot, effect: dict[str, Any], turn: int, is_trap: bool) -> None:
    """Check the card in ``effect["slot"]``.

    For the effect of a trap (`is_trap`), this must be the card that was placed on the trap; otherwise, it
    must be the card with the effect.
    """
    entry = data["seats"][turn]["field"][effect["slot"]]
    is_there = entry is not None and entry["seat"] == turn
    require(is_there, f"seat {turn} has no own card in slot {effect['slot']} of its field")
    if is_trap:
        is_fresh = not (entry["bonus"] or entry["zeroed"] or entry["disabled"])
        require(
            is_fresh and CARDS[entry["card"]].kind != Kind.TRAP,
            "the card placed on the trap must have no bonus and no flag, and must not be a trap",
        )
    else:
        is_there = entry["card"] == effect["card"] and entry["works"]
        require(is_there, "the card of effect is not in the slot of effect, or its effect does not work")


def check_cards(data: Snapshot) -> None:
    """Check that each seat's cards in all places, taken together, are the cards of its deck list."""
    for number, seat in enumerate(data["seats"]):
        zones = [seat[zone] for zone in ("hand", "back_hand", "aside", "deck", "junkyard")]
        on_fields = [
            entry["card"]
            for side in data["seats"]
            for entry in side["field"]
            if entry and entry["seat"] == number
        ]
        areas = [] if seat["utility"] is None else [seat["utility"]]
        effect = data["effect"]
        lifted = [effect["card"]] if data["decision"] in OF_TRAPS and effect["seat"] == number else []
        counts, expected = Counter(chain(*zones, on_fields, areas, lifted)), Counter(seat["decklist"])
        require(
            counts == expected,
            f"the cards of seat {number} must be those in its deck list; missing "
            f"{sorted((expected - counts).elements())}, extra {sorted((counts - expected).elements())}",
        )


def check_time(data: Snapshot) -> None:
    """Check that the contents of zones and fields, the flags and the seat to play fit the decision."""
    decision, seats = data["decision"], data["seats"]
    for number, seat in enumerate(seats):
        is_asker = data["effect"] is not None and data["turn_seat"] == number
        is_using = is_asker and data["effect"]["card"] >= NUM_FIELD_TYPES
        require(
            (seat["utility"] is not None) == is_using,
            f"utility of seat {number} must be None unless its effect is being carried out",
        )
        require(not is_using or seat["utility_used"], f"utility_used of seat {number} must be True")
        may_set_aside = data["asked_seat"] == number and decision in ("MULLIGAN", "TAKE")
        require(may_set_aside or not seat["aside"], f"aside of seat {number} must be empty at {decision}")
        require(
            decision == "KEEP" or not seat["back_hand"],
            f"back_hand of seat {number} must be empty at {decision}",
        )
        if decision == "MULLIGAN":
            require(len(seat["hand"]) == HAND_LIMIT, f"hand of seat {number} must have {HAND_LIMIT} cards")
            is_used = seat["junkyard"] or seat["revealed"]
            require(
                data["round"] > 1 or not is_used,
                f"junkyard and revealed of seat {number} must be empty at MULLIGAN in round 1",
            )
        if decision in (*OUTSIDE_TURNS, None):
            require(not any(seat["field"]), f"field of seat {number} must be empty at {decision}")
        if decision in OUTSIDE_TURNS:
            is_fresh = not (seat["passed"] or seat["utility_used"] or data["gas"])
            require(is_fresh, f"passed, utility_used and gas must be False at {decision}")
        require(data["over"] <= seat["passed"], f"passed of seat {number} must be True when the game is over")
    if data["turn_seat"] is not None:
        require(not seats[data["turn_seat"]]["passed"], "turn_seat must be a seat that has not passed")
        is_own = decision != "TURN" or data["asked_seat"] == data["turn_seat"]
        require(is_own, "asked_seat must equal turn_seat at TURN")
    check_aside(data)
    check_possible(data)


def check_possible(data: Snapshot) -> None:
    """Check that the cards in the snapshot make the decision possible."""
    decision, seats = data["decision"], data["seats"]
    if decision == "MULLIGAN":
        require(bool(seats[data["asked_seat"]]["deck"]), "MULLIGAN needs a deck with cards")
    elif decision == "KEEP":
        for number, seat in enumerate(seats):
            is_possible = len(seat["hand"]) + len(seat["back_hand"]) <= HAND_LIMIT
            require(is_possible, f"hand and back_hand of seat {number} have more than {HAND_LIMIT} cards")
    elif decision == "GIVE":
        deck = seats[data["asked_seat"]]["deck"]
        require(any(card >= NUM_FIELD_TYPES for card in deck), "GIVE needs a UTILITY card in the deck")


def check_aside(data: Snapshot) -> None:
    """Check the number of cards set aside: one for each trade, or one for Research Station."""
    if data["decision"] == "MULLIGAN":
        aside, trades = len(data["seats"][data["asked_seat"]]["aside"]), MAX_TRADES - data["left"]
        require(aside == trades, f"after {trades} trades, aside must have {trades} cards, got {aside}")
    elif data["decision"] == "TAKE":
        require(len(data["seats"][data["asked_seat"]]["aside"]) == 1, "aside must have one card at TAKE")
