"""Invariants of positions: they keep kernels within their arrays, and let every game end.

Play preserves them: every position reached from a position that satisfies them satisfies them too. They hold
in every position of a game, but also in many harmless positions that no game reaches.
"""

from collections import Counter
from itertools import chain
from typing import Any

from pocketmars_env.core.position_codec import require
from pocketmars_env.games.pocket_mars.rules.cards import (
    CARD_SUIT,
    CARDS,
    FIRST_BOTTOM,
)
from pocketmars_env.games.pocket_mars.rules.constants import (
    CARDS_DEALT,
    CARDS_DEALT_IN_DRAFT,
    DA_SEAT,
    NO_PROGRAM,
    NUM_BUILDINGS,
    PREP_SLOTS,
    Decision,
    Op,
    Stage,
)
from pocketmars_env.games.pocket_mars.small import FULL_GAME, SMALL_GAMES, SmallGame

Data = dict[str, Any]

SETUP = (Decision.DRAFT.name, Decision.PREP.name)
OF_DA = (Decision.DA_UPGRADE.name, Decision.DA_SETTLE.name)
OF_SOLO = (Decision.DISCARD_DA.name, Decision.DRAW.name, *OF_DA)
ONE_MORE = {number for number, card in enumerate(CARDS) if (Op.ACT_AGAIN, 1) in card.top}
"""The cards that give an extra action and stay in play during that action."""
MOST_DRAWN = 2
"""Number of cards drawn for "draw 2 and keep 1"."""
PUT_UNDER_TWICE = 2
"""Number of cards that the bottom action of Aqualab 4 puts under the deck."""


def game_of(data: Data) -> SmallGame:
    """Return the numbers of cards and colonists in the game."""
    return SMALL_GAMES.get(data.get("small") or "", FULL_GAME)


def at_rest(data: Data) -> tuple[int, int]:
    """Return the number of cards in a player's hand and prep module between turns."""
    return game_of(data).hand - PREP_SLOTS, PREP_SLOTS


def is_da(data: Data, seat: int) -> bool:
    return bool(data["mode"] == "solo" and seat == DA_SEAT)


def number_of_cards(entry: Data) -> tuple[int, int]:
    """Return the number of cards in a seat's hand and in its prep module."""
    return len(entry["hand"]), PREP_SLOTS - entry["prep"].count(None)


def check_table(data: Data) -> None:
    """Check what lies on the table."""
    check_cards(data)
    check_knowledge(data)
    check_colonists(data)
    require(data["under"] <= len(data["deck"]), f"under must be at most {len(data['deck'])}")
    require(data["deck"] or data["mode"] == "solo", "the deck cannot be empty: it is rebuilt at once")
    if data["mode"] == "solo":
        da = data["seats"][DA_SEAT]
        has_cards = da["hand"] or da.get("packet") or da.get("pending")
        require(not has_cards, "the DA has cards only in its prep module")
    if not data["over"]:
        check_to_play(data)
    if data["decision"] in SETUP:
        check_setup(data)


def check_cards(data: Data) -> None:
    """Check that every card is in exactly one place: the sizes of all arrays depend on it."""
    zones = [data["deck"], data["discard"], data["in_play"]]
    for building, pile in enumerate(data["piles"]):
        zones.append([card for card, _ in pile])
        is_right = all(CARD_SUIT[card] == building for card in zones[-1])
        require(is_right, f"piles[{building}] holds a card of another suit: {zones[-1]}")
    for seat in data["seats"]:
        zones += [seat["hand"], seat.get("packet", []), [card for card in seat["prep"] if card is not None]]
    counts = Counter(chain(*zones))
    cards = game_of(data).cards
    missing = [card for card in cards if not counts[card]]
    twice = [card for card in counts if counts[card] > (card in cards)]
    require(
        not missing and not twice,
        f"each of the {len(cards)} cards must be in one place; missing {missing}, twice {twice}",
    )


def check_knowledge(data: Data) -> None:
    """Check that the seats know what they see, and no card whose place in the deck is random.

    Otherwise, determinization would have more places than cards.
    """
    public = {*data["discard"], *data["in_play"]}
    public |= {card for pile in data["piles"] for card, is_up in pile if is_up}
    shuffled = set(data["deck"][: len(data["deck"]) - data["under"]])
    for seat, entry in enumerate(data["seats"]):
        own = [] if is_da(data, seat) else [*entry["hand"], *entry.get("packet", []), *entry["prep"]]
        unknown = {*public, *own} - {*entry["knows"], None}
        foreseen = shuffled & set(entry["knows"])
        require(not unknown, f"seat {seat} must know the cards {sorted(unknown)}, because it sees them")
        require(not foreseen, f"seat {seat} cannot know the cards {sorted(foreseen)} in the deck")


def check_colonists(data: Data) -> None:
    """Check the number of colonists, and the limit of ★★ places: observations depend on them."""
    limit, colonists = 1 if data["players"] <= 2 else 2, game_of(data).colonists
    for seat, entry in enumerate(data["seats"]):
        number = entry["earth"] + entry["ship"] + sum(entry["star"]) + sum(entry["star2"])
        require(number == colonists, f"seat {seat} has {number} colonists, not {colonists}")
    for building in range(NUM_BUILDINGS):
        number = sum(entry["star2"][building] for entry in data["seats"])
        require(number <= limit, f"★★ of Building {building} holds at most {limit} colonists, got {number}")


def check_to_play(data: Data) -> None:
    """Check that the decision exists in this mode, and that a seat that makes decisions is to play."""
    decision, seat = data["decision"], data["asked_seat"]
    require(data["mode"] == "solo" or decision not in OF_SOLO, f"{decision} belongs to the solo game")
    require(is_da(data, seat) == (decision in OF_DA), f"{decision} is not a decision of seat {seat}")


def check_setup(data: Data) -> None:
    """Check that the players hold the dealt cards and choose in order, from seat 0 on (R-SECRET)."""
    require(not data["in_play"], "no card is in play during the setup")
    is_draft, to_play = data["decision"] == Decision.DRAFT.name, data["asked_seat"]
    limit, dealt = (1, CARDS_DEALT_IN_DRAFT) if is_draft else (PREP_SLOTS, game_of(data).hand)
    players = data["seats"][: data["players"]]
    for seat, entry in enumerate(players):
        pending, held = entry["pending"], entry["packet"] if is_draft else entry["hand"]
        is_in_turn = len(pending) < limit if seat == to_play else len(pending) == limit * (seat < to_play)
        require(is_in_turn, f"pending of seat {seat} is wrong while seat {to_play} chooses")
        require(
            set(pending) <= set(held), f"seat {seat} does not hold the cards {pending} that it has chosen"
        )
        number = len(entry["hand"]) + len(entry.get("packet", []))
        require(number == dealt, f"seat {seat} must hold {dealt} cards during the setup")
        require(entry["prep"] == [None] * PREP_SLOTS, f"prep of seat {seat} must be empty during the setup")
    kept = {len(entry["hand"]) for entry in players}
    require(not is_draft or (len(kept) == 1 and max(kept) < CARDS_DEALT), f"the players kept {kept} cards")


# --- hands: at TURN, every player has cards to play ------------------------------------------------------


def check_hands(data: Data, resume_state: dict[str, int]) -> None:
    """Check that only the seats that are acting have more or fewer cards than between turns."""
    if data["over"] or data["decision"] in SETUP:
        return
    is_top = NO_PROGRAM < resume_state["program"] < FIRST_BOTTOM
    resolving = [card for card in data["in_play"] if card not in ONE_MORE]
    require(len(resolving) == is_top, f"the cards {data['in_play']} in play do not fit the running program")
    require(not data["in_play"] or resume_state["stage"] < Stage.FOUR_CARDS, "a card is still in play")
    if resume_state["stage"] == Stage.FOUR_CARDS:
        check_served_seats(data)
    else:
        check_acting_seats(data, resume_state, is_top)


def check_acting_seats(data: Data, resume_state: dict[str, int], is_top: bool) -> None:
    """Check the number of cards of all seats except in the 4-card rule."""
    active, owner, decision = data["active_seat"], resume_state["owner"], data["decision"]
    for seat, entry in enumerate(data["seats"]):
        if is_da(data, seat):
            continue
        hand, prep = at_rest(data)
        if seat == active:
            hand -= sum(card in ONE_MORE for card in data["in_play"])
            if is_top:
                hand += MOST_DRAWN * (decision == Decision.KEEP.name) - 1
        if seat == owner:
            prep -= 1
            if resume_state["stage"] == Stage.END_ACTION:
                hand = min(len(entry["hand"]), hand + 1)  # the bottom action may have moved cards
            elif decision == Decision.PUT_UNDER.name:
                hand -= PUT_UNDER_TWICE - resume_state["left"]
        actual = number_of_cards(entry)
        require(
            actual == (hand, prep),
            f"seat {seat} must have {hand} cards in hand and {prep} in the prep module, got {actual}",
        )


def check_served_seats(data: Data) -> None:
    """Check that the 4-card rule goes in turn order and concerns at most one seat besides the active one."""
    active, players = data["active_seat"], data["players"]
    others, limit = 0, game_of(data).hand
    for distance in range(players):
        seat = (active + distance) % players
        hand, prep = number_of_cards(data["seats"][seat])
        if (hand, prep) != at_rest(data):
            is_served = distance < (data["asked_seat"] - active) % players
            require(
                not is_served, f"seat {seat} is done with the 4-card rule, but has ({hand}, {prep}) cards"
            )
            others += distance > 0
            require(distance == 0 or hand + prep <= limit, f"seat {seat} has more than {limit} cards")
    require(others <= 1, "the 4-card rule concerns at most one seat besides the active one")
