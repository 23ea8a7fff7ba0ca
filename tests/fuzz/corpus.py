"""Positions that cannot occur in a game, each made from a valid one by a single change.

Only the changes are stored, so each position stays one change away from a valid one when the snapshot format
changes. `test_every_check_counts.py` tests that each position check has a case here that only it rejects.
"""

import functools
from collections.abc import Callable
from typing import Any

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.testing import play_random_game
from tests.fuzz.mutations import ABSENT, Path, put
from tests.fuzz.positions import at_decision, fresh_games, tidy
from tests.games.pocket_mars.test_from_snapshot import BAD_VALUES

ResumeState = dict[str, int]
Damage = Callable[[Snapshot, ResumeState], Any]
CASES: dict[str, tuple[Callable[[], Game], Damage, bool]] = {}
"""Cases by name: a valid position, the change, and whether the resume state is given too."""
ENERGY_7 = CARD_NUMBER["Energy 7"]


def case(decision: str, mode: str = "two", has_resume_state: bool = False) -> Callable[[Damage], Damage]:
    """Register a case: the decorated function damages the first fresh position of a mode and decision."""
    return case_of(lambda: at_decision(decision, mode), has_resume_state)


def case_of(fresh: Callable[[], Game], has_resume_state: bool = False) -> Callable[[Damage], Damage]:
    """Like `case`, for the position that `fresh` returns."""

    def decorate(damage: Damage) -> Damage:
        enter(damage.__name__, fresh, damage, has_resume_state)
        return damage

    return decorate


def enter(name: str, fresh: Callable[[], Game], damage: Damage, has_resume_state: bool) -> None:
    CASES[name] = (functools.cache(fresh), damage, has_resume_state)


def damaged(name: str) -> tuple[Snapshot, ResumeState | None]:
    """Return the snapshot of a case, and its resume state if the case has one."""
    fresh, damage, has_resume_state = CASES[name]
    data, resume_state = fresh().snapshot(), fresh().resume_state()
    for seat in data["seats"]:
        del seat["score"]
    replaced = damage(data, resume_state)
    return data if replaced is None else replaced, resume_state if has_resume_state else None


def first_with(condition: Callable[[Snapshot], Any]) -> Game:
    """Return the first fresh position whose snapshot satisfies a condition."""
    games = (game for games in fresh_games().values() for game in games)
    return next(game for game in games if condition(game.snapshot()))


def is_later_draft(data: Snapshot) -> bool:
    """Return whether every seat has kept a card in the draft and none has chosen the next one."""
    seats = data["seats"]
    return data["decision"] == "DRAFT" and all(seat["hand"] and not seat["pending"] for seat in seats)


def is_top_action(data: Snapshot) -> bool:
    """Return whether a card from the hand is resolving and no extra action is running."""
    return len(data["in_play"]) == 1 and data["in_play"] != [ENERGY_7]


def take_a_card(data: Snapshot, number: int) -> None:
    """Move a card from a seat's hand onto the deck."""
    card = data["seats"][number]["hand"].pop()
    data["deck"].insert(0, card)
    tidy(data, card)


def draw_to(data: Snapshot, place: list[int]) -> None:
    """Move the top card of the deck to a place."""
    card = data["deck"].pop(0)
    place.append(card)
    tidy(data, card)


def empty_module(data: Snapshot) -> None:
    """Move the DA's cards onto the deck, where nobody knows them."""
    data["deck"][:0] = data["seats"][1]["prep"]
    data["seats"][1]["prep"] = [None, None]
    for seat in data["seats"]:
        seat["knows"] = [card for card in seat["knows"] if card not in data["deck"]]


def put_in_play(data: Snapshot, card: int = ENERGY_7) -> None:
    """Move a card from the deck into play, below all cards in play."""
    data["deck"].remove(card)
    data["in_play"].insert(0, card)
    tidy(data, card)


SINGLE_VALUES: list[tuple[str, str, str, Path, Any]] = [
    *((str(number), "TURN", "two", path, value) for number, (path, value, _) in enumerate(BAD_VALUES)),
    ("a_card_missing", "TURN", "two", ("deck", 0), ABSENT),
    ("five_numbers_for_piles", "TURN", "two", ("piles",), [5] * 5),
    ("a_negative_number_put_under_the_deck", "TURN", "two", ("under",), -1),
    ("a_round_beyond_the_limit", "TURN", "two", ("round",), 201),
    ("a_card_put_under_the_deck_by_nobody", "TURN", "two", ("under",), 1),
    # only games with Devious Automatics have the decision DISCARD_DA
    ("the_das_question_of_a_game_of_three", "TURN", "three", ("decision",), "DISCARD_DA"),
    ("no_level", "PREP", "solo_standard", ("level",), None),
    ("setup_in_round_2", "PREP", "two", ("round",), 2),
    ("setup_of_another_active_seat", "PREP", "four", ("active_seat",), 1),
    ("the_das_question_to_the_player", "DA_SETTLE", "solo_da_agent", ("asked_seat",), 0),
    ("a_draft_in_a_game_without", "DRAFT", "two_draft", ("resume state", "draft"), 0),
    ("a_question_to_the_automaton", "DA_SETTLE", "solo_da_agent", ("resume state", "da_agent"), 0),
    ("a_seat_to_play_after_the_end", "over", "two", ("asked_seat",), 7),
    ("truncated_before_the_end", "TURN", "two", ("resume state", "truncated"), 1),
]
"""Cases with one changed value: name, decision, mode, path in the snapshot or resume state, and new value.

With the value `ABSENT`, the entry is removed.
"""


def putting(place: Path, value: Any) -> Damage:
    """Return a change that replaces or removes a single value."""

    def damage(data: Snapshot, resume_state: ResumeState) -> None:
        if place[0] == "resume state":
            put(resume_state, place[1:], value)
        else:
            put(data, place, value)

    return damage


for _name, _decision, _mode, _place, _value in SINGLE_VALUES:
    has_resume_state = _place[0] == "resume state" or _decision == "DA_SETTLE"
    enter(_name, functools.partial(at_decision, _decision, _mode), putting(_place, _value), has_resume_state)


# --- form ---------------------------------------------------------------------------------------------


@case("TURN")
def no_dict(data: Snapshot, resume_state: ResumeState) -> Any:
    return [data]


@case("TURN")
def asked_seat_as_a_float(data: Snapshot, resume_state: ResumeState) -> Any:
    data["asked_seat"] = float(data["asked_seat"])


@case("TURN")
def eight_colonists(data: Snapshot, resume_state: ResumeState) -> Any:
    data["seats"][0]["ship"] = 7 - data["seats"][0]["ship"]


@case("TURN")
def a_card_on_another_pile(data: Snapshot, resume_state: ResumeState) -> Any:
    card = data["deck"].pop(0)
    data["piles"][(card // 7 + 1) % 5].append([card, True])
    tidy(data, card)


# --- what lies on the table ---------------------------------------------------------------------------


@case("TURN", "two")
def crowded_star2(data: Snapshot, resume_state: ResumeState) -> Any:
    seat = data["seats"][0]
    seat["star2"], seat["star"] = [4, 0, 0, 0], [0] * 4
    seat["ship"], seat["earth"] = 0, 3


@case("TURN")
def an_empty_deck(data: Snapshot, resume_state: ResumeState) -> Any:
    for card in data["deck"][:]:
        data["deck"].remove(card)
        data["discard"].append(card)
        tidy(data, card)


@case("TURN")
def own_hand_unknown(data: Snapshot, resume_state: ResumeState) -> Any:
    seat = data["seats"][0]
    seat["knows"] = [card for card in seat["knows"] if card not in seat["hand"]]


@case("TURN")
def a_card_of_the_deck_known(data: Snapshot, resume_state: ResumeState) -> Any:
    data["seats"][1]["knows"] = sorted([*data["seats"][1]["knows"], data["deck"][3]])


@case("TURN")
def two_cards_in_play(data: Snapshot, resume_state: ResumeState) -> Any:
    """A third card in play would overwrite the size of the list, which follows the list in the record."""
    for _ in range(2):
        draw_to(data, data["in_play"])


@case_of(lambda: first_with(is_top_action))
def two_tops_in_play(data: Snapshot, resume_state: ResumeState) -> Any:
    put_in_play(data, next(card for card in data["deck"] if card != ENERGY_7))


@case("TURN")
def a_turn_during_a_top(data: Snapshot, resume_state: ResumeState) -> Any:
    put_in_play(data, next(card for card in data["deck"] if card != ENERGY_7))


# --- the setup ----------------------------------------------------------------------------------------


@case("DRAFT", "two_draft")
def draft_without_packets(data: Snapshot, resume_state: ResumeState) -> Any:
    """The game would not be over but have no legal action."""
    for seat in data["seats"]:
        for card in seat["packet"]:
            data["deck"].insert(0, card)
        seat["packet"] = []
        seat["pending"] = []
        seat["knows"] = []


@case("DRAFT", "two_draft")
def draft_with_a_filled_prep_module(data: Snapshot, resume_state: ResumeState) -> Any:
    """The draft would add a third card to a prep module with two slots."""
    seat = data["seats"][0]
    seat["prep"] = [seat["packet"].pop(), seat["packet"].pop()]


@case("PREP")
def a_card_played_during_the_setup(data: Snapshot, resume_state: ResumeState) -> Any:
    draw_to(data, data["discard"])


@case("DRAFT", "three_draft")
def draft_of_a_seat_that_has_chosen(data: Snapshot, resume_state: ResumeState) -> Any:
    seat = data["seats"][data["asked_seat"]]
    seat["pending"] = seat["packet"][:1]


@case("DRAFT", "three_draft")
def a_pick_out_of_turn(data: Snapshot, resume_state: ResumeState) -> Any:
    data["asked_seat"] = 0
    for seat in data["seats"]:
        seat["pending"] = []
    data["seats"][2]["pending"] = data["seats"][2]["packet"][:1]


@case_of(lambda: first_with(is_later_draft))
def hands_of_different_sizes_in_the_draft(data: Snapshot, resume_state: ResumeState) -> Any:
    seat = data["seats"][0]
    seat["packet"].append(seat["hand"].pop())
    seat["packet"].sort()


@case("PREP", "four")
def a_choice_of_another_seats_card(data: Snapshot, resume_state: ResumeState) -> Any:
    data["asked_seat"] = 1
    data["seats"][0]["pending"] = data["seats"][1]["hand"][:2]
    data["seats"][1]["pending"] = []


@case("PREP")
def a_card_put_under_the_deck_during_the_setup(data: Snapshot, resume_state: ResumeState) -> Any:
    data["under"] = 1
    seat = data["seats"][0]
    seat["knows"] = sorted([*seat["knows"], data["deck"][-1]])


@case("PREP")
def a_colonist_launched_during_the_setup(data: Snapshot, resume_state: ResumeState) -> Any:
    data["seats"][0]["earth"] -= 1
    data["seats"][0]["ship"] += 1


@case("PREP")
def a_hand_of_five_during_the_setup(data: Snapshot, resume_state: ResumeState) -> Any:
    draw_to(data, data["seats"][0]["hand"])


# --- from the first turn on ---------------------------------------------------------------------------


@case("over", "three", has_resume_state=True)
def over_in_the_middle_of_a_round(data: Snapshot, resume_state: ResumeState) -> Any:
    data["active_seat"] = data["starting_seat"]


@case_of(lambda: first_with(lambda data: data["over"] and ENERGY_7 in data["deck"]), has_resume_state=True)
def a_card_in_play_after_the_end(data: Snapshot, resume_state: ResumeState) -> Any:
    put_in_play(data)


@case("TURN")
def a_round_after_the_end(data: Snapshot, resume_state: ResumeState) -> Any:
    data["active_seat"] = data["asked_seat"] = data["starting_seat"]
    seat = data["seats"][0]
    seat["star"][0] += seat["earth"] + seat["ship"]
    seat["earth"] = seat["ship"] = 0


@case("TURN", "solo_standard")
def a_hand_of_the_da(data: Snapshot, resume_state: ResumeState) -> Any:
    data["seats"][1]["hand"].append(data["deck"].pop(0))


@case("DISCARD", "four")
def a_hand_of_six(data: Snapshot, resume_state: ResumeState) -> Any:
    for _ in range(3):
        draw_to(data, data["seats"][data["asked_seat"]]["hand"])


@case("TURN", "solo_standard")
def an_empty_module_at_a_turn(data: Snapshot, resume_state: ResumeState) -> Any:
    empty_module(data)


@case("DA_SETTLE", "solo_da_agent")
def the_da_settles_with_another_card(data: Snapshot, resume_state: ResumeState) -> Any:
    prep = data["seats"][1]["prep"]
    slot = 0 if prep[0] is not None else 1
    other = next(card for card in data["deck"] if card < 28)
    data["deck"][data["deck"].index(other)] = prep[slot]
    for seat in data["seats"]:
        seat["knows"] = [card for card in seat["knows"] if card != prep[slot]]
    prep[slot] = other


@case("TURN", "solo_standard")
def a_discard_without_a_launch(data: Snapshot, resume_state: ResumeState) -> Any:
    data["decision"] = "DISCARD_DA"
    seat = data["seats"][0]
    seat["earth"], seat["ship"] = seat["earth"] + seat["ship"], 0


@case_of(lambda: play_random_game(seed=5, round_limit=2), has_resume_state=True)
def truncated_in_another_round(data: Snapshot, resume_state: ResumeState) -> Any:
    resume_state["round_limit"] += 1


@case("DISCARD_DA", "solo_standard")
def nothing_to_discard(data: Snapshot, resume_state: ResumeState) -> Any:
    empty_module(data)


@case_of(lambda: first_with(lambda data: data["decision"] == "FILL" and ENERGY_7 in data["deck"]))
def a_card_in_play_after_the_action(data: Snapshot, resume_state: ResumeState) -> Any:
    put_in_play(data)


@case("SETTLE_WHERE", "three")
def a_third_seat_with_a_card_too_many(data: Snapshot, resume_state: ResumeState) -> Any:
    draw_to(data, data["seats"][(data["asked_seat"] + 1) % 3]["hand"])


def is_first_filling(data: Snapshot) -> bool:
    """Return whether, in a four-player game, the 4-card rule applies only to the active seat."""
    to_play = data["asked_seat"]
    is_first = to_play == data["active_seat"] and data["decision"] == "FILL" and data["players"] == 4
    others = [seat for number, seat in enumerate(data["seats"]) if number != to_play]
    return is_first and all(len(seat["hand"]) == 2 and None not in seat["prep"] for seat in others)


@case_of(lambda: first_with(is_first_filling))
def a_served_seat_with_a_card_less(data: Snapshot, resume_state: ResumeState) -> Any:
    data["active_seat"] = (data["active_seat"] - 1) % 4
    take_a_card(data, data["active_seat"])


@case_of(lambda: first_with(is_first_filling))
def two_more_seats_with_a_card_less(data: Snapshot, resume_state: ResumeState) -> Any:
    for distance in (1, 2):
        take_a_card(data, (data["asked_seat"] + distance) % 4)


@case_of(lambda: first_with(is_first_filling))
def another_seat_with_a_card_too_many(data: Snapshot, resume_state: ResumeState) -> Any:
    draw_to(data, data["seats"][(data["asked_seat"] + 1) % 4]["hand"])
