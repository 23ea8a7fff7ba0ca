"""The top actions that take, swap and put away cards; each text is tested on every card that has it."""

import pytest

from tests.builders import AQUALAB, COMMS_CENTER, HABITATION, cards, choices, decision_of, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_top, begin_top, one_in, with_top

TAKE_FROM_DISCARD = ["Habitation c", "Habitation f"]
SWAP_HAND_AND_PREP = ["Habitation d", "Habitation g"]

# --- Aqualab 5: upgrade 1 of yours here; you may also put 1 hand card under the deck --------------------


def test_aqualab_5_upgrades_before_it_asks_for_a_card() -> None:
    game = given(
        seat(hand=["Aqualab 5", "Comms 1", "Comms 4"], prep=["Comms 2", "Comms 3"], star=one_in("Aqualab")),
        seat(),
    )
    before = begin_top(game, "Aqualab 5")
    assert changes(before, game) == {
        "Aqualab 5": "hand of 0 → in play",
        "★ Aqualab of 0": -1,
        "★★ Aqualab of 0": 1,
    }
    assert decision_of(game) == (0, "PUT_UNDER", ["PASS", "CARD(Comms 1)", "CARD(Comms 4)"])


def test_aqualab_5_puts_one_card_under_the_deck() -> None:
    game = given(seat(hand=["Aqualab 5", "Comms 1", "Comms 4"], prep=["Comms 2", "Comms 3"]), seat())
    assert after_top(game, "Aqualab 5", "CARD(Comms 4)") == {"Comms 4": "hand of 0 → deck"}
    assert cards(game.snapshot()["deck"])[-1] == "Comms 4"


def test_aqualab_5_asks_for_no_card_when_the_hand_is_empty() -> None:
    game = given(seat(hand=["Aqualab 5"], prep=["Comms 2", "Comms 3"]), seat(), deck=["Energy 1", "Energy 2"])
    assert after_top(game, "Aqualab 5") == {"Energy 2": "deck → hand of 0"}


# --- Aqualab 3: swap 1 card of your prep module with 1 of another player's ------------------------------


def test_aqualab_3_swaps_the_cards_in_their_slots() -> None:
    game = given(
        seat(hand=["Aqualab 3", "Comms 1"], prep=["Comms 2", "Comms 3"]), seat(prep=["Energy 1", "Energy 2"])
    )
    assert after_top(game, "Aqualab 3", "CARD(Comms 2)", "SLOT(seat +1, slot 1)") == {
        "Comms 2": "slot 0 of 0 → slot 1 of 1",
        "Energy 2": "slot 1 of 1 → slot 0 of 0",
    }


def test_aqualab_3_moves_nothing_before_both_cards_are_chosen() -> None:
    game = given(
        seat(hand=["Aqualab 3", "Comms 1"], prep=["Comms 2", "Comms 3"]),
        seat(prep=["Energy 1", "Energy 2"]),
        seat(prep=[None, "Energy 3"]),
    )
    before = begin_top(game, "Aqualab 3")
    assert decision_of(game) == (0, "SWAP_PREP", ["CARD(Comms 2)", "CARD(Comms 3)"])
    play(game, "CARD(Comms 3)")
    assert (game.to_play, game.decision) == (0, "SWAP_OTHER")
    assert choices(game) == ["SLOT(seat +1, slot 0)", "SLOT(seat +1, slot 1)", "SLOT(seat +2, slot 1)"]
    assert changes(before, game) == {"Aqualab 3": "hand of 0 → in play"}


def test_aqualab_3_counts_seats_clockwise_from_the_player() -> None:
    game = given(
        seat(prep=["Energy 1", "Energy 2"]),
        seat(prep=["Energy 3", "Energy 4"]),
        seat(hand=["Aqualab 3", "Comms 1"], prep=["Comms 2", "Comms 3"]),
        active_seat=2,
        deck=["Energy 7"],
    )
    before = game.snapshot()
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Comms 3)", "SLOT(seat +1, slot 0)")
    assert changes(before, game) == {
        "Aqualab 3": "hand of 2 → discard",
        "Energy 7": "deck → hand of 2",
        "Comms 3": "slot 1 of 2 → slot 0 of 0",
        "Energy 1": "slot 0 of 0 → slot 1 of 2",
    }


def test_aqualab_3_does_nothing_without_a_card_on_both_sides() -> None:
    mine_empty = given(seat(hand=["Aqualab 3", "Comms 1", "Comms 2"], prep=[None, None]), seat())
    play(mine_empty, "PLAY_HAND(Aqualab 3)")
    assert mine_empty.decision == "FILL"
    others_empty = given(
        seat(hand=["Aqualab 3", "Comms 1"], prep=["Comms 2", "Comms 3"]),
        seat(hand=["Energy 1", "Energy 2"], prep=[None, None]),
    )
    play(others_empty, "PLAY_HAND(Aqualab 3)")
    assert (others_empty.to_play, others_empty.decision) == (1, "FILL")


# --- Habitation c and f: take 1 card from the discard pile ----------------------------------------------


@pytest.mark.parametrize("card", TAKE_FROM_DISCARD)
def test_take_a_card_from_the_discard_pile(card: str) -> None:
    game = given(with_top(card), seat(), discard=["Comms 7", "Aqualab 2", "Energy 4"])
    before = begin_top(game, card)
    assert decision_of(game) == (0, "TAKE_DISCARD", ["CARD(Aqualab 2)", "CARD(Energy 4)", "CARD(Comms 7)"])
    play(game, "CARD(Aqualab 2)")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {card: "hand of 0 → discard", "Aqualab 2": "discard → hand of 0"}
    assert cards(game.snapshot()["discard"]) == ["Comms 7", "Energy 4", card]


@pytest.mark.parametrize("card", TAKE_FROM_DISCARD)
def test_the_only_discarded_card_is_taken_unasked(card: str) -> None:
    game = given(with_top(card), seat(), discard=["Comms 7"])
    before = begin_top(game, card)
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {card: "hand of 0 → discard", "Comms 7": "discard → hand of 0"}


@pytest.mark.parametrize("card", TAKE_FROM_DISCARD)
def test_a_card_does_not_take_itself_from_the_discard_pile(card: str) -> None:
    game = given(with_top(card), seat(), discard=[])
    assert after_top(game, card) == {}


# --- Habitation d and g: swap 1 card of your hand with 1 of your prep module ----------------------------


@pytest.mark.parametrize(("taken", "slot"), [("Comms 2", 0), ("Comms 3", 1)])
@pytest.mark.parametrize("card", SWAP_HAND_AND_PREP)
def test_swap_hand_and_prep(card: str, taken: str, slot: int) -> None:
    game = given(seat(hand=[card, "Comms 1"], prep=["Comms 2", "Comms 3"]), seat())
    asking = play(game.clone(), f"PLAY_HAND({card})")
    assert decision_of(asking) == (0, "SWAP_PREP", ["CARD(Comms 2)", "CARD(Comms 3)"])
    assert after_top(game, card, f"CARD({taken})") == {
        "Comms 1": f"hand of 0 → slot {slot} of 0",
        taken: f"slot {slot} of 0 → hand of 0",
    }


@pytest.mark.parametrize("card", SWAP_HAND_AND_PREP)
def test_swap_hand_and_prep_asks_for_the_hand_card_if_there_are_several(card: str) -> None:
    game = given(seat(hand=[card, "Comms 1", "Comms 4"], prep=["Comms 2", "Comms 3"]), seat())
    before = begin_top(game, card)
    assert decision_of(game) == (0, "SWAP_HAND", ["CARD(Comms 1)", "CARD(Comms 4)"])
    play(game, "CARD(Comms 4)")
    assert (game.to_play, game.decision) == (0, "SWAP_PREP")
    assert changes(before, game) == {card: "hand of 0 → in play"}
    play(game, "CARD(Comms 2)")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        "Comms 4": "hand of 0 → slot 0 of 0",
        "Comms 2": "slot 0 of 0 → hand of 0",
    }


@pytest.mark.parametrize("card", SWAP_HAND_AND_PREP)
def test_swap_hand_and_prep_with_one_card_on_each_side_asks_nothing(card: str) -> None:
    game = given(seat(hand=[card, "Comms 1"], prep=[None, "Comms 3"]), seat(), deck=["Energy 1", "Energy 2"])
    before = begin_top(game, card)
    assert (game.to_play, game.decision) == (0, "FILL")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        "Comms 1": "hand of 0 → slot 1 of 0",
        "Comms 3": "slot 1 of 0 → hand of 0",
        "Energy 1": "deck → hand of 0",
        "Energy 2": "deck → hand of 0",
    }


@pytest.mark.parametrize("card", SWAP_HAND_AND_PREP)
def test_swap_hand_and_prep_does_nothing_without_a_card_on_both_sides(card: str) -> None:
    no_hand = given(seat(hand=[card], prep=["Comms 2", "Comms 3"]), seat(), deck=["Energy 1", "Energy 2"])
    assert after_top(no_hand, card) == {"Energy 2": "deck → hand of 0"}
    no_prep = given(seat(hand=[card, "Comms 1"], prep=[None, None]), seat())
    play(no_prep, f"PLAY_HAND({card})")
    assert (no_prep.to_play, no_prep.decision) == (0, "FILL")
    assert "CARD(Comms 1)" in choices(no_prep)


# --- Habitation e: take the top card of a Building of your choice ----------------------------------------


def test_habitation_e_takes_the_top_card_of_a_building() -> None:
    game = given(
        with_top("Habitation e"),
        seat(),
        piles={AQUALAB: ["Aqualab 1", "Aqualab 4"], COMMS_CENTER: ["Comms 6"], HABITATION: ["Habitation a"]},
    )
    before = begin_top(game, "Habitation e")
    assert (game.to_play, game.decision) == (0, "TAKE_TOP")
    assert choices(game) == ["BUILDING(Aqualab)", "BUILDING(Comms Center)", "BUILDING(Habitation)"]
    play(game, "BUILDING(Aqualab)")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {"Habitation e": "hand of 0 → discard", "Aqualab 4": "pile → hand of 0"}


def test_habitation_e_takes_the_only_top_card_even_face_down() -> None:
    game = given(with_top("Habitation e"), seat(), piles={AQUALAB: ["Aqualab 4"]}, face_down=["Aqualab 4"])
    before = begin_top(game, "Habitation e")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {
        "Habitation e": "hand of 0 → discard",
        "Aqualab 4": "pile, face down → hand of 0",
    }


def test_a_card_taken_face_down_comes_back_face_up() -> None:
    game = given(
        seat(hand=["Habitation e"], prep=["Comms 2", None]),
        seat(),
        piles={AQUALAB: ["Aqualab 4"]},
        face_down=["Aqualab 4"],
    )
    play(game, "PLAY_HAND(Habitation e)", "CARD(Aqualab 4)")
    assert (game.to_play, game.decision) == (1, "TURN")
    before = game.snapshot()
    play(game, "LAUNCH", "PLAY_PREP(Aqualab 4)")
    assert changes(before, game)["Aqualab 4"] == "slot 1 of 0 → pile"


def test_habitation_e_finds_no_card_at_the_buildings() -> None:
    game = given(with_top("Habitation e"), seat())
    assert after_top(game, "Habitation e") == {}
