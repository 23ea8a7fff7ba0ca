"""The solo game: setup, drawing, changed actions, system failure, android activation, and the end."""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import (
    AQUALAB,
    COMMS_CENTER,
    ENERGY_BANK,
    GREENHOUSE,
    all_but,
    at,
    choices,
    decision_of,
    given,
    knows,
    play,
    seat,
    table,
)

HAND, PREP = ["Greenhouse 1", "Greenhouse 2"], ["Aqualab 1", "Aqualab 2"]
MODULE = ["Habitation a", "Comms 1"]
DECK = ["Energy 1", "Energy 2", "Energy 3", "Energy 4", "Energy 5", "Energy 6"]


def solo(
    da: dict[str, Any] | None = None, deck: list[str] | None = None, is_all: bool = False, **more: Any
) -> Game:
    """Return a solo game in which it is the player's turn.

    Args:
        da: changes to the DA's seat.
        deck: the top cards of the deck.
        is_all: whether `deck` is the whole deck and all other cards are in the discard pile.
        more: changes to the player's seat, and arguments of `given`.
    """
    player = {
        key: more.pop(key) for key in ("hand", "prep", "ship", "energy", "star", "star2") if key in more
    }
    mine = seat(**{"hand": HAND, "prep": PREP, **player})
    module = seat(**{"prep": MODULE, **(da or {})})
    cards = DECK if deck is None else deck
    if is_all:
        held = [card for card in [*mine["hand"], *mine["prep"], *module["prep"]] if card]
        more["discard"] = all_but(*held, *cards)
    return given(mine, module, mode="solo", deck=cards, **more)


def activate_by(suit_card: str, da: dict[str, Any] | None = None, **more: Any) -> Game:
    """Activate the androids by this card's suit: the player launches and discards the DA's other card."""
    module = [suit_card, "Habitation a"]
    return play(solo({"prep": module, **(da or {})}, **more), "LAUNCH", "SLOT(seat +1, slot 1)")


# --- setup ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("level", "ship"), [("standard", 5), ("super_droid", 6), ("cyborg", 7)])
def test_the_level_decides_how_many_da_colonists_start_on_the_ship(level: str, ship: int) -> None:
    game = Game(mode="solo", level=level, seed=1)
    da = at(game, 1)
    assert (da["ship"], da["earth"], da["energy"], da["hand"]) == (ship, 7 - ship, 1, [])
    player = at(game, 0)
    assert (player["ship"], player["earth"], player["energy"]) == (1, 6, 1)
    assert (game.config.players, game.config.seats) == (1, 2)
    assert (table(game)["level"], table(game)["players"]) == (level, 1)


def test_the_da_gets_the_top_two_cards_when_the_player_has_prepared() -> None:
    deal = {"hands": [[0, 1, 2, 3]], "deck": list(range(4, 35)), "starting_seat": 0}
    game = Game.from_deal(deal, mode="solo")
    assert (game.to_play, game.decision, at(game, 1)["prep"]) == (0, "PREP", [None, None])
    play(game, "CARD(Greenhouse 1)", "CARD(Greenhouse 4)")
    assert at(game, 1)["prep"] == ["Greenhouse 5", "Greenhouse 6"]
    assert table(game)["deck"][0] == "Greenhouse 7"
    assert (game.to_play, game.decision) == (0, "TURN")


# --- drawing --------------------------------------------------------------------------------------


def test_the_4_card_rule_draws_a_card_of_choice_from_the_das_module() -> None:
    game = play(solo(), "DISCARD_FOR_ENERGY(Greenhouse 1)")
    assert decision_of(game) == (0, "DRAW", ["SLOT(seat +1, slot 0)", "SLOT(seat +1, slot 1)"])
    play(game, "SLOT(seat +1, slot 1)")
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Comms 1"]
    assert table(game)["discard"][:3] == ["Greenhouse 1", "Energy 1", "Energy 2"]


def test_both_cards_are_drawn_without_a_question_and_the_module_stays_empty_until_the_refill() -> None:
    game = play(solo(hand=["Aqualab 6", "Greenhouse 2"]), "PLAY_HAND(Aqualab 6)")
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Comms 1", "Habitation a"]
    assert (game.decision, at(game, 1)["prep"]) == ("DISCARD", [None, None])
    assert table(game)["deck"][:6] == DECK
    play(game, "CARD(Greenhouse 2)")
    assert at(game, 1)["prep"] == ["Energy 3", "Energy 4"]


def test_draw_2_keep_one_draws_from_the_module_too() -> None:
    game = play(solo(hand=["Comms 2", "Greenhouse 2"]), "PLAY_HAND(Comms 2)")
    assert choices(game) == ["CARD(Comms 1)", "CARD(Habitation a)"]
    play(game, "CARD(Habitation a)")
    assert table(game)["piles"][COMMS_CENTER] == table(game)["face_down"] == ["Comms 1"]
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Habitation a"]


def test_only_from_an_empty_module_the_deck_is_drawn_from() -> None:
    game = solo({"prep": [None, "Comms 1"]}, hand=["Aqualab 6", "Greenhouse 2"])
    play(game, "PLAY_HAND(Aqualab 6)")
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Energy 1", "Comms 1"]


def test_a_single_card_in_the_module_is_drawn_without_a_question() -> None:
    game = solo({"prep": [None, "Comms 1"]})
    play(game, "DISCARD_FOR_ENERGY(Greenhouse 1)")
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Comms 1"]
    assert (game.to_play, game.decision) == (0, "TURN")


def test_the_module_is_not_refilled_between_draws_of_one_turn() -> None:
    game = play(solo(hand=["Energy 7", "Aqualab 7"]), "PLAY_HAND(Energy 7)", "PLAY_HAND(Aqualab 7)")
    # Aqualab 7 draws 2; with two cards in hand and two in the prep module, none is missing
    assert at(game, 0)["hand"] == ["Comms 1", "Habitation a"]
    emptied = solo(hand=["Energy 7", "Greenhouse 2"], deck=["Comms 7", "Energy 1", "Energy 2"])
    play(emptied, "PLAY_HAND(Energy 7)", "LAUNCH", "SLOT(seat +1, slot 0)")
    assert at(emptied, 0)["hand"] == ["Greenhouse 2", "Comms 1"]  # the only card left is drawn


# --- the actions that differ ----------------------------------------------------------------------


def test_a_turn_offers_exactly_the_five_actions() -> None:
    assert choices(solo()) == [
        "PLAY_HAND(Greenhouse 1)",
        "PLAY_HAND(Greenhouse 2)",
        "PLAY_PREP(Aqualab 1)",
        "PLAY_PREP(Aqualab 2)",
        "PLAY_OTHER(seat +1, slot 0)",
        "PLAY_OTHER(seat +1, slot 1)",
        "LAUNCH",
        "DISCARD_FOR_ENERGY(Greenhouse 1)",
        "DISCARD_FOR_ENERGY(Greenhouse 2)",
        "DISCARD_FOR_ENERGY(Aqualab 1)",
        "DISCARD_FOR_ENERGY(Aqualab 2)",
    ]


def test_a_higher_card_of_the_da_settles_the_players_colonist_and_gives_its_buildings_ability() -> None:
    game = solo({"prep": ["Habitation a", "Comms 7"], "ship": 3}, hand=["Comms 1", "Comms 2"], ship=1)
    play(game, "PLAY_OTHER(seat +1, slot 1)")
    assert table(game)["piles"][COMMS_CENTER] == ["Comms 7"]
    assert (game.to_play, game.decision) == (0, "SETTLE")
    play(game, "ACCEPT")
    assert (at(game, 0)["ship"], at(game, 0)["star"]) == (0, [0, 0, 0, 1])
    assert (game.to_play, game.decision) == (0, "ABILITY")  # no bottom action for anybody
    assert (at(game, 1)["ship"], at(game, 1)["star"]) == (3, [0] * 4)
    play(game, "ACCEPT")
    assert (at(game, 0)["ship"], at(game, 0)["earth"]) == (1, 5)


def test_a_card_of_the_da_that_is_not_higher_settles_nobody() -> None:
    game = play(solo({"prep": ["Habitation a", "Comms 3"]}, ship=1), "PLAY_OTHER(seat +1, slot 1)")
    assert game.decision == "ABILITY"


def test_a_habitation_card_of_the_da_gives_the_ability_only() -> None:
    game = play(solo(ship=1), "PLAY_OTHER(seat +1, slot 0)")
    assert game.decision == "ABILITY"
    play(game, "ACCEPT", "BUILDING(Aqualab)")
    assert at(game, 0)["star"] == [0, 1, 0, 0]


def test_the_steps_after_a_card_of_the_da_are_optional() -> None:
    game = play(
        solo({"prep": ["Energy 7", "Comms 1"]}, deck=DECK[1:3], ship=1), "PLAY_OTHER(seat +1, slot 0)"
    )
    assert (game.decision, choices(game)) == ("SETTLE", ["PASS", "ACCEPT"])
    play(game, "PASS")
    assert (game.decision, choices(game)) == ("ABILITY", ["PASS", "ACCEPT"])
    play(game, "PASS")
    assert (at(game, 0)["ship"], at(game, 0)["star"], at(game, 0)["energy"]) == (1, [0] * 4, 1)


def test_a_launch_also_discards_a_card_of_the_das_module() -> None:
    game = play(solo(), "LAUNCH")
    assert (at(game, 0)["ship"], at(game, 0)["earth"]) == (2, 5)  # launched before the card is chosen
    assert decision_of(game) == (0, "DISCARD_DA", ["SLOT(seat +1, slot 0)", "SLOT(seat +1, slot 1)"])
    play(game, "SLOT(seat +1, slot 1)")
    assert table(game)["discard"][0] == "Comms 1"


def test_a_launch_discards_the_only_card_of_the_module_without_a_question() -> None:
    game = play(solo({"prep": [None, "Comms 1"]}), "LAUNCH")
    assert table(game)["discard"][0] == "Comms 1"
    assert game.decision == "TURN"


def test_a_launch_needs_a_colonist_on_earth_and_a_card_in_the_module() -> None:
    assert "LAUNCH" in choices(solo(ship=6, star=[0, 0, 0, 0]))
    assert "LAUNCH" not in choices(solo(ship=6, star=[1, 0, 0, 0]))
    assert "LAUNCH" not in choices(solo({"prep": [None, None]}))


@pytest.mark.parametrize(("before", "after"), [(1, 3), (5, 7), (6, 7), (7, 7)])
@pytest.mark.parametrize("card", ["Greenhouse 1", "Aqualab 1"])
def test_a_discard_gains_two_energy(card: str, before: int, after: int) -> None:
    game = play(solo(energy=before), f"DISCARD_FOR_ENERGY({card})")
    assert at(game, 0)["energy"] == after


# --- system failure -------------------------------------------------------------------------------


@pytest.mark.parametrize("left", [4, 2, 1, 0])
def test_system_failure_discards_two_cards_as_far_as_there_are(left: int) -> None:
    game = solo(deck=DECK[:left], is_all=True)
    before = table(game)["discard"]
    play(game, "LAUNCH", "SLOT(seat +1, slot 1)")
    assert table(game)["discard"] == [*before, "Comms 1", *DECK[: min(left, 2)]]
    assert table(game)["deck"] == DECK[3:left]  # one more card refills the module


def test_system_failure_is_no_draw() -> None:
    game = play(solo(hand=["Habitation c", "Greenhouse 2"], discard=["Comms 7"]), "PLAY_HAND(Habitation c)")
    assert at(game, 1)["prep"] == MODULE
    assert table(game)["discard"] == ["Habitation c", "Energy 1", "Energy 2"]


def test_the_deck_is_never_rebuilt() -> None:
    game = solo(
        deck=DECK[:1], is_all=True, hand=["Aqualab 6", "Greenhouse 2"], da={"prep": [None, "Comms 1"]}
    )
    play(game, "PLAY_HAND(Aqualab 6)")
    assert table(game)["deck"] == []
    assert len(table(game)["discard"]) > 20


# --- android activation ---------------------------------------------------------------------------


def test_with_two_cards_nothing_happens() -> None:
    game = solo({"ship": 3}, hand=["Habitation c", "Greenhouse 2"], discard=["Comms 7"])
    before = {**at(game, 1), "knows": None}
    play(game, "PLAY_HAND(Habitation c)")  # takes a card, so that none is missing
    assert {**at(game, 1), "knows": None} == before
    assert table(game)["deck"][0] == DECK[2]


def test_with_no_card_only_the_refill_happens() -> None:
    game = solo({"ship": 3}, hand=["Comms 2", "Greenhouse 2"])
    play(game, "PLAY_HAND(Comms 2)", "CARD(Comms 1)")
    da = at(game, 1)
    assert (da["ship"], da["earth"], da["star"], da["energy"]) == (3, 4, [0] * 4, 1)
    assert da["prep"] == ["Energy 3", "Energy 4"]  # the top card goes into the lower slot


@pytest.mark.parametrize("building", [GREENHOUSE, AQUALAB, ENERGY_BANK, COMMS_CENTER])
def test_with_one_card_a_da_colonist_settles_in_its_building(building: int) -> None:
    game = activate_by(["Greenhouse 7", "Aqualab 7", "Energy 7", "Comms 7"][building], {"ship": 3})
    da = at(game, 1)
    here = [da["star"][number] + da["star2"][number] for number in range(4)]
    assert here == [int(number == building) for number in range(4)]
    assert da["ship"] == (3 if building == COMMS_CENTER else 2)  # the Comms Center launches another


@pytest.mark.parametrize("card", ["Aqualab 7", "Energy 7", "Greenhouse 7"])
def test_with_nobody_on_the_ship_a_da_colonist_is_launched_instead(card: str) -> None:
    da = at(activate_by(card, {"ship": 0, "star": [0, 0, 5, 0], "star2": [0, 0, 1, 0]}), 1)
    assert (da["ship"], da["earth"], sum(da["star"])) == (1, 0, 5)


@pytest.mark.parametrize("card", ["Aqualab 7", "Comms 7", "Habitation b"])
def test_with_nobody_on_ship_and_earth_nobody_moves(card: str) -> None:
    places = {"ship": 0, "star": [0, 0, 3, 3], "star2": [0, 0, 1, 0]}
    game = activate_by(card, places)
    da = at(game, 1)
    assert (da["ship"], da["earth"], da["star"], da["star2"]) == (0, 0, places["star"], places["star2"])


def test_the_card_stays_unrevealed_and_the_other_slot_is_refilled() -> None:
    game = activate_by("Comms 7")
    assert at(game, 1)["prep"] == ["Comms 7", "Energy 3"]
    assert knows(game, 0, "Comms 7", "Energy 3") == [False, False]
    other_slot = solo({"prep": ["Habitation a", "Comms 7"]})
    play(other_slot, "LAUNCH", "SLOT(seat +1, slot 0)")
    assert at(other_slot, 1)["prep"] == ["Energy 3", "Comms 7"]


def test_the_three_phases_come_in_order() -> None:
    # the androids' spark comes after the system failure, the refill after the spark
    game = activate_by("Aqualab 7")
    assert table(game)["discard"] == ["Habitation a", "Energy 1", "Energy 2", "Energy 3", "Energy 4"]
    assert at(game, 1)["prep"] == ["Aqualab 7", "Energy 5"]
    assert (game.to_play, game.decision, table(game)["round"]) == (0, "TURN", 2)


# --- the end --------------------------------------------------------------------------------------

DA_WINS, PLAYER_WINS = [1], [0]


def test_the_game_ends_when_the_player_has_settled_all_seven() -> None:
    game = solo(hand=["Greenhouse 6", "Comms 2"], ship=1, star=[1, 1, 1, 3])
    play(game, "PLAY_HAND(Greenhouse 6)", "BUILDING(Greenhouse)")
    assert not game.over  # the other phases of the round are still to come
    play(game, "SLOT(seat +1, slot 0)")
    assert (game.over, game.truncated) == (True, False)
    assert table(game)["discard"][:3] == ["Greenhouse 6", "Energy 1", "Energy 2"]
    assert (game.to_play, game.decision, game.legal) == (None, None, [])


@pytest.mark.parametrize(("ship", "is_over"), [(1, True), (2, False)])
def test_the_game_ends_when_the_da_has_settled_all_seven(ship: int, is_over: bool) -> None:
    game = activate_by("Aqualab 7", {"ship": ship, "star": [0, 2, 2, 3 - ship]})
    assert (game.over, game.truncated) == (is_over, False)
    assert at(game, 1)["star"] == [0, 3, 2, 3 - ship]


@pytest.mark.parametrize(("left", "is_over"), [(2, True), (3, False)])
def test_the_game_ends_when_the_module_cannot_be_refilled(left: int, is_over: bool) -> None:
    game = solo(deck=DECK[:left], is_all=True)
    play(game, "LAUNCH", "SLOT(seat +1, slot 1)")  # the refill needs one card
    assert game.over == is_over
    assert at(game, 1)["prep"].count(None) == int(is_over)
    assert not game.truncated


def test_an_empty_deck_alone_does_not_end_the_game() -> None:
    game = play(solo(deck=[], is_all=True, hand=["Habitation c", "Comms 2"]), "PLAY_HAND(Habitation c)")
    play(game, choices(game)[0])
    assert (game.over, table(game)["deck"], at(game, 1)["prep"]) == (False, [], MODULE)


def ended(player: dict[str, Any], da: dict[str, Any]) -> Game:
    """Play a last turn that changes no points, and return the finished game.

    The player has settled all colonists before, and the DA's module keeps its two cards.
    """
    game = solo(da, hand=["Habitation c", "Comms 2"], discard=["Comms 7"], **player)
    return play(game, "PLAY_HAND(Habitation c)")


SETTLED: dict[str, Any] = {"ship": 0, "star": [0, 7, 0, 0]}  # 17 points, and 1 for the highest energy


@pytest.mark.parametrize(
    ("energy", "da", "scores", "winners"),
    [
        (3, {"ship": 3, "energy": 1}, [18, 16], PLAYER_WINS),
        (1, {"ship": 3, "energy": 3}, [17, 18], DA_WINS),
        (1, {"ship": 2, "energy": 3}, [17, 17], DA_WINS),
    ],
    ids=["more", "fewer", "tied"],
)
def test_only_more_points_than_the_da_win(
    energy: int, da: dict[str, Any], scores: list[int], winners: list[int]
) -> None:
    game = ended({**SETTLED, "energy": energy}, {**da, "star": [4, 0, 0, 0]})
    assert (game.over, game.scores, game.winners) == (True, scores, winners)


def test_the_players_own_tie_breaks_do_not_count_against_the_da() -> None:
    for edition in ("grey_fox", "board_and_dice"):
        mine = seat(hand=["Habitation c", "Comms 2"], prep=PREP, energy=1, **SETTLED)
        da = seat(prep=MODULE, ship=2, star=[4, 0, 0, 0], energy=3)
        game = given(mine, da, mode="solo", edition=edition, discard=["Comms 7"])
        assert play(game, "PLAY_HAND(Habitation c)").winners == DA_WINS


# --- the round limit ------------------------------------------------------------------------------


def test_the_round_limit_truncates_the_game_and_the_scores_stand() -> None:
    game = solo(
        hand=["Habitation c", "Comms 2"], discard=["Comms 7"], round_=4, round_limit=5, ship=6, energy=3
    )
    play(game, "PLAY_HAND(Habitation c)")
    assert (game.over, table(game)["round"]) == (False, 5)
    play(game, "PLAY_PREP(Aqualab 2)")
    while not game.over:
        play(game, choices(game)[0])
    assert (game.truncated, table(game)["round"]) == (True, 5)
    assert game.scores[0] >= 6
    assert game.winners == PLAYER_WINS
