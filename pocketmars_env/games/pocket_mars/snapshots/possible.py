"""Checks the conditions that hold in every position reachable in play.

A snapshot that a user supplies must pass `check_snapshot` and `check_table` before it is converted to a
state, and `check_decision` before the game continues. A check raises a ValueError if a condition is violated.
`testing.check_invariants` also runs these checks, so tests that call it on positions of random games detect
checks that are too strict.
"""

from typing import Any

from pocketmars_env.core.snapshot_checks import require
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT, CARDS, FIRST_BOTTOM
from pocketmars_env.games.pocket_mars.rules.constants import (
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    COLONISTS,
    DA_SEAT,
    DA_START_ON_SHIP,
    HAND_LIMIT,
    NO_PROGRAM,
    NUM_BUILDINGS,
    PREP_SLOTS,
    START_ENERGY,
    START_ON_SHIP,
    Building,
    Decision,
    Level,
    Op,
    Stage,
)
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import SETUP

Data = dict[str, Any]
Fields = dict[str, int]

OF_DA_SEAT = {Decision.DA_UPGRADE.name: Building.GREENHOUSE, Decision.DA_SETTLE.name: Building.HABITATION}
"""Decisions of Devious Automatics (DA), each with the suit of the DA's card that triggers the decision."""
OF_SOLO = {Decision.DISCARD_DA.name, Decision.DRAW.name, *OF_DA_SEAT}
ONE_MORE = {number for number, card in enumerate(CARDS) if (Op.ACT_AGAIN, 1) in card.top}
"""The cards that give an extra action and stay in play during that action."""
HAND_AT_REST = HAND_LIMIT - PREP_SLOTS
MOST_CARDS = 5
"""Maximum number of cards in a seat's hand and prep module together, at any time."""
MOST_TAKEN = 1
"""Maximum number of cards that a bottom action adds to the hand."""
MOST_DRAWN = 2
"""Maximum number of cards that a player draws in order to keep one of them."""


# --- what lies on the table -------------------------------------------------------------------------


def check_table(data: Data, round_limit: int) -> None:
    """Check the conditions that depend only on the snapshot and the round limit."""
    require(data["round"] <= round_limit, f"round {data['round']} is beyond the limit {round_limit}")
    check_places(data)
    check_knowledge(data)
    check_cards_in_play(data)
    check_to_play(data)
    if data["decision"] in SETUP:
        check_setup(data)
    else:
        check_time(data)
        check_hands(data)


def is_da(data: Data, seat: int) -> bool:
    return bool(data["mode"] == "solo" and seat == DA_SEAT)


def prep_of(entry: Data) -> list[int]:
    """Return the cards in a seat's prep module."""
    return [card for card in entry["prep"] if card is not None]


def own_cards(entry: Data) -> list[int]:
    """Return the cards in a seat's hand, packet and prep module."""
    return [*entry["hand"], *entry.get("packet", []), *prep_of(entry)]


def check_places(data: Data) -> None:
    """Check the limit of colonists on ★★; with 2 to 4 players, also checks that the deck is not empty."""
    limit = 1 if data["players"] <= 2 else 2
    for building in range(NUM_BUILDINGS):
        number = sum(entry["star2"][building] for entry in data["seats"])
        require(number <= limit, f"★★ of Building {building} holds at most {limit} colonists, got {number}")
    require(data["deck"] or data["mode"] == "solo", "the deck cannot be empty: it is rebuilt at once")


def check_knowledge(data: Data) -> None:
    """Check that all seats know the face-up cards, and that every player knows its own cards.

    Also checks that the seats know no cards in the deck except those put under it, and that at least one
    player knows each of these.
    """
    public = {*data["discard"], *data["in_play"]}
    public |= {card for pile in data["piles"] for card, is_up in pile if is_up}
    put_under = set(data["deck"][len(data["deck"]) - data["under"] :])
    for seat, entry in enumerate(data["seats"]):
        expected = public if is_da(data, seat) else public | set(own_cards(entry))
        unknown = sorted(expected - set(entry["knows"]))
        require(not unknown, f"seat {seat} must know the cards {unknown}, because it sees them")
        foreseen = sorted(set(data["deck"]) & set(entry["knows"]) - put_under)
        require(not foreseen, f"seat {seat} cannot know the cards {foreseen} in the deck")
    known = {
        card for seat, entry in enumerate(data["seats"]) if not is_da(data, seat) for card in entry["knows"]
    }
    nobodys = sorted(put_under - known)
    require(not nobodys, f"the cards {nobodys} were put under the deck, so a player must know them")


def check_cards_in_play(data: Data) -> None:
    """Check that every card in play except the last one gives an extra action."""
    waiting = [card for card in data["in_play"] if card not in ONE_MORE]
    is_in_order = len(waiting) <= 1 and data["in_play"][len(data["in_play"]) - len(waiting) :] == waiting
    require(is_in_order, f"the cards {data['in_play']} cannot be in play together in this order")


def check_to_play(data: Data) -> None:
    """Check that the decision is possible in this mode and for the seat to play."""
    decision, seat = data["decision"], data["asked_seat"]
    require(
        decision not in OF_SOLO or data["mode"] == "solo", f"{decision} is a decision of the solo game only"
    )
    is_to_play = is_da(data, seat) == (decision in OF_DA_SEAT)
    require(data["over"] or is_to_play, f"{decision} is not a decision of seat {seat}")


# --- the setup --------------------------------------------------------------------------------------


def check_setup(data: Data) -> None:
    """Check that nothing has been played and that the seats choose in order, from seat 0 on (R-SECRET)."""
    require(data["round"] == 1, f"round must be 1 during the setup, got {data['round']}")
    require(data["active_seat"] == 0, "active_seat must be 0 during the setup")
    other_zones = [data["discard"], data["in_play"], *data["piles"]]
    require(not any(other_zones), "during the setup, only hands, packets and the deck can hold cards")
    require(data["under"] == 0, "under must be 0 during the setup")
    is_draft = data["decision"] == Decision.DRAFT.name
    for seat, entry in enumerate(data["seats"]):
        check_start(data, seat, entry)
        check_pending(seat, entry, is_draft)
    kept = [len(entry["hand"]) if is_draft else 0 for entry in data["seats"][: data["players"]]]
    require(
        len(set(kept)) == 1 and kept[0] < CARDS_DEALT,
        f"all players must have kept equally many cards, got {kept}",
    )
    limit = 1 if is_draft else PREP_SLOTS
    to_play = data["asked_seat"]
    for seat, entry in enumerate(data["seats"]):
        pending = len(entry["pending"])
        if seat == to_play:
            require(pending < limit, f"seat {seat} is to play, but has already chosen")
        else:
            expected = limit if seat < to_play else 0
            require(
                pending == expected,
                f"seat {seat} must have {expected} pending cards while seat {to_play} chooses, got {pending}",
            )


def check_pending(seat: int, entry: Data, is_draft: bool) -> None:
    """Check that a seat still holds the cards that it has chosen."""
    cards = set(entry["packet"] if is_draft else entry["hand"])
    missing = sorted(set(entry["pending"]) - cards)
    require(not missing, f"seat {seat} does not hold the cards {missing} that it has chosen")


def check_start(data: Data, seat: int, entry: Data) -> None:
    """Check a seat's colonists, energy and cards during the setup."""
    ship = START_ON_SHIP
    if is_da(data, seat):
        ship = DA_START_ON_SHIP[Level[data["level"].upper()]]
    start = (COLONISTS - ship, ship, START_ENERGY)
    actual = entry["earth"], entry["ship"], entry["energy"]
    require(actual == start, f"seat {seat} must start with Earth, Ship and energy {start}, got {actual}")
    is_draft = data["decision"] == Decision.DRAFT.name
    dealt = 0 if is_da(data, seat) else CARDS_DEALT_IN_DRAFT if is_draft else CARDS_DEALT
    require(len(own_cards(entry)) == dealt, f"seat {seat} must hold {dealt} cards during the setup")
    require(not prep_of(entry), f"the prep module of seat {seat} must be empty during the setup")


# --- from the first turn on -------------------------------------------------------------------------


def has_settled_all(data: Data) -> bool:
    """Return whether any seat has all its colonists in Buildings."""
    return any(entry["earth"] == entry["ship"] == 0 for entry in data["seats"])


def has_ended(data: Data) -> bool:
    """Return whether the game would end by the rules if this were the end of a round."""
    is_da_out = data["mode"] == "solo" and None in data["seats"][DA_SEAT]["prep"]
    return is_da_out or has_settled_all(data)


def check_time(data: Data) -> None:
    """Check the conditions for the beginning of a round and for the end of a game."""
    is_first = data["active_seat"] == data["starting_seat"]
    if data["over"]:
        last = (data["starting_seat"] - 1) % data["players"]
        require(data["active_seat"] == last, f"active_seat must be {last}, the last seat of the round")
        require(not data["in_play"], "a card is in play after the end of the game")
    elif data["decision"] == Decision.TURN.name and is_first and not data["in_play"]:
        require(not has_settled_all(data), "the game must be over: a seat has settled all its colonists")


def check_hands(data: Data) -> None:
    """Check the limits for hands and prep modules that do not depend on the action being resolved."""
    for seat, entry in enumerate(data["seats"]):
        hand, total = len(entry["hand"]), len(own_cards(entry))
        if is_da(data, seat):
            require(hand == 0, f"the DA must have no hand, got {hand} cards")
        else:
            is_sound = hand <= HAND_LIMIT and total <= MOST_CARDS
            require(is_sound, f"seat {seat} cannot hold {hand} cards in hand and {total} in total")
    if data["decision"] in OF_DA_SEAT or data["over"]:
        check_seats_at_rest(data)
    if data["mode"] == "solo":
        check_da_module(data)


def check_seats_at_rest(data: Data) -> None:
    """Check that every player has two cards in hand and two in the prep module, as between turns.

    A finished solo game without cards to draw is exempt.
    """
    for seat, entry in enumerate(data["seats"]):
        if not is_da(data, seat) and not is_out_of_cards(data):
            require_cards(seat, entry, HAND_AT_REST, PREP_SLOTS)


def is_out_of_cards(data: Data) -> bool:
    """Return whether this is a finished solo game with no card left to draw."""
    return bool(data["over"] and data["mode"] == "solo" and not data["deck"]) and not prep_of(
        data["seats"][DA_SEAT]
    )


def require_cards(seat: int, entry: Data, hand: int, prep: int) -> None:
    actual = len(entry["hand"]), len(prep_of(entry))
    require(
        actual == (hand, prep),
        f"seat {seat} must have {hand} cards in hand and {prep} in the prep module, got {actual}",
    )


def check_da_module(data: Data) -> None:
    """Check the DA's module: one card of the right suit at the DA's decisions, two cards at TURN.

    When the game is over, the module has two cards unless the deck is empty.
    """
    cards = prep_of(data["seats"][DA_SEAT])
    if data["decision"] == Decision.TURN.name or (data["over"] and data["deck"]):
        require(len(cards) == PREP_SLOTS, f"the DA's module must have {PREP_SLOTS} cards, got {len(cards)}")
    if data["decision"] in OF_DA_SEAT:
        suit = OF_DA_SEAT[data["decision"]]
        suits = [CARD_SUIT[card] for card in cards]
        require(
            suits == [suit],
            f"{data['decision']} requires one card of suit {suit} in the DA's module, got suits {suits}",
        )


# --- the decision -----------------------------------------------------------------------------------


def check_decision(data: Data, resume_state: Fields, legal: int) -> None:
    """Check the conditions that also depend on the resume state or on the number of legal actions."""
    decision = data["decision"]
    require(data["over"] or legal > 0, f"{decision} of seat {data['asked_seat']} has no legal action")
    is_drafting = decision == Decision.DRAFT.name
    require(resume_state["draft"] or not is_drafting, "DRAFT is a decision of the draft variant only")
    require(resume_state["da_agent"] or decision not in OF_DA_SEAT, f"{decision} requires da_agent")
    check_end(data, resume_state)
    if decision in SETUP or data["over"]:
        return
    check_leftover_play(data, resume_state)
    if resume_state["stage"] == Stage.FOUR_CARDS:
        check_served_seats(data)
    elif resume_state["stage"] < Stage.FOUR_CARDS:
        check_acting_seats(data, resume_state)
    if decision == Decision.DISCARD_DA.name:
        require(data["seats"][data["asked_seat"]]["ship"] > 0, "DISCARD_DA requires a colonist on the Ship")


def check_end(data: Data, resume_state: Fields) -> None:
    """Check that a game is truncated if and only if it ended at the round limit and met no end condition."""
    is_truncated = bool(data["over"] and not has_ended(data))
    require(resume_state["truncated"] == is_truncated, f"truncated must be {int(is_truncated)} here")
    is_last = data["round"] == resume_state["round_limit"]
    require(is_last or not is_truncated, f"a game is truncated only in round {resume_state['round_limit']}")


def check_leftover_play(data: Data, resume_state: Fields) -> None:
    """Check that a card from hand is in play only during its top action and its extra action, if any."""
    is_top = NO_PROGRAM < resume_state["program"] < FIRST_BOTTOM
    resolved = [card for card in data["in_play"] if card not in ONE_MORE]
    require(bool(resolved) == is_top, f"the cards {resolved} in play do not match the running program")
    is_turn_over = resume_state["stage"] >= Stage.FOUR_CARDS
    require(not (is_turn_over and data["in_play"]), "a card is in play after the action is over")


def check_acting_seats(data: Data, resume_state: Fields) -> None:
    """Check how many cards the players have in hand and in the prep module during an action.

    Every player except the active one and the owner of the played card must have two cards in hand and two in
    the prep module.
    """
    active, owner = data["active_seat"], resume_state["owner"]
    is_top = NO_PROGRAM < resume_state["program"] < FIRST_BOTTOM
    for seat, entry in enumerate(data["seats"]):
        if is_da(data, seat):
            continue
        extra = sum(card in ONE_MORE for card in data["in_play"]) if seat == active else 0
        hand = HAND_AT_REST - extra
        if seat == active and is_top:
            hand += MOST_DRAWN * (data["decision"] == Decision.KEEP.name) - 1
        elif seat == owner and resume_state["stage"] == Stage.END_ACTION:
            hand = min(len(entry["hand"]), hand + MOST_TAKEN)  # the bottom may have added or removed cards
        elif seat == owner and data["decision"] == Decision.PUT_UNDER.name:
            hand -= PUT_UNDER_TWICE - resume_state["left"]
        require_cards(seat, entry, hand, PREP_SLOTS - (seat == owner))


PUT_UNDER_TWICE = 2
"""The maximum number of cards that the bottom of Aqualab 4 puts under the deck."""


def check_served_seats(data: Data) -> None:
    """Check that the 4-card rule goes in turn order and affects at most one seat besides the active seat."""
    active, players = data["active_seat"], data["players"]
    to_play = (data["asked_seat"] - active) % players
    others = []
    for distance in range(players):
        entry = data["seats"][(active + distance) % players]
        is_at_rest = (len(entry["hand"]), len(prep_of(entry))) == (HAND_AT_REST, PREP_SLOTS)
        require(
            is_at_rest or distance >= to_play,
            "a seat that is done with the 4-card rule must have 2 cards in hand and 2 in the prep module",
        )
        if distance > 0 and not is_at_rest:
            others.append(entry)
    require(len(others) <= 1, "the 4-card rule affects at most one seat besides the active one")
    for entry in others:
        require(len(own_cards(entry)) <= HAND_LIMIT, "only the active seat can have more than 4 cards")
