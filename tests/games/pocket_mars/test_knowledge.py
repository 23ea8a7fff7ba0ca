"""Which seats know the place of a card: every sentence of the rules on partial observation."""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import (
    AQUALAB,
    COMMS_CENTER,
    GREENHOUSE,
    HABITATION,
    all_but,
    at,
    choices,
    given,
    knows,
    play,
    seat,
    table,
)

PLAIN = seat(hand=["Habitation a", "Habitation b"], prep=["Habitation e", "Habitation f"])
"""A second player whose cards have no suit in common with the cards under test."""


def mine(**changes: Any) -> dict[str, Any]:
    """Return seat 0 with cards of four suits, which no other seat knows by default."""
    return seat(
        **{
            "hand": ["Comms 1", "Energy 1"],
            "prep": ["Greenhouse 1", "Aqualab 1"],
            "ship": 0,
            "energy": 1,
            **changes,
        }
    )


def decline(game: Game) -> Game:
    """Pass all optional steps after a card is played from a prep module, and return the game."""
    while game.decision in ("SETTLE", "BOTTOM", "ABILITY"):
        play(game, "PASS")
    return game


# --- known to all ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", ["PLAY_HAND(Comms 1)", "DISCARD_FOR_ENERGY(Comms 1)", "DISCARD_FOR_ENERGY(Greenhouse 1)"]
)
def test_the_discard_pile_is_known_to_all(action: str) -> None:
    game = play(given(mine(), PLAIN, seat()), action)
    (card,) = table(game)["discard"]
    assert [knows(game, number, card) for number in range(3)] == [[True]] * 3


def test_a_card_that_resolves_is_known_to_all() -> None:
    game = play(given(mine(hand=["Comms 2", "Energy 1"]), PLAIN), "PLAY_HAND(Comms 2)")
    assert table(game)["in_play"] == ["Comms 2"]
    assert knows(game, 1, "Comms 2") == [True]


def test_a_face_up_card_of_a_pile_is_known_to_all_and_so_when_it_is_covered() -> None:
    game = play(given(mine(prep=["Greenhouse 1", "Greenhouse 2"]), PLAIN), "PLAY_PREP(Greenhouse 1)")
    assert knows(game, 1, "Greenhouse 1") == [True]
    decline(game)
    play(game, choices(game)[0], "PLAY_OTHER(seat +1, slot 1)")
    assert table(game)["piles"][GREENHOUSE] == ["Greenhouse 1", "Greenhouse 2"]
    assert knows(game, 1, "Greenhouse 1", "Greenhouse 2") == [True, True]


def test_a_card_played_from_anothers_module_is_known_to_all() -> None:
    game = play(given(PLAIN, mine(), seat()), "PLAY_OTHER(seat +1, slot 1)")
    assert [knows(game, number, "Aqualab 1", "Greenhouse 1") for number in range(3)] == [
        [True, False],
        [True, True],
        [True, False],
    ]


def test_a_card_taken_from_the_discard_pile_is_known_to_all_in_the_hand() -> None:
    own = mine(hand=["Habitation c", "Energy 1"])
    game = given(own, seat(), discard=["Comms 1", "Comms 2"])
    play(game, "PLAY_HAND(Habitation c)", "CARD(Comms 2)")
    assert "Comms 2" in at(game, 0)["hand"]
    assert knows(game, 1, "Comms 2", "Energy 1") == [True, False]


def test_a_card_taken_from_the_top_of_a_pile_is_known_to_all_in_the_hand() -> None:
    own = mine(hand=["Habitation c", "Energy 1"], prep=["Aqualab 2", "Greenhouse 1"])
    game = given(own, seat(), piles={COMMS_CENTER: ["Comms 1", "Comms 2"]})
    play(game, "PLAY_PREP(Aqualab 2)", "ACCEPT")
    assert "Comms 2" in at(game, 0)["hand"]
    assert knows(game, 1, "Comms 2") == [True]


# --- known to one ---------------------------------------------------------------------------------


def test_own_hand_and_prep_module_are_known_to_their_player_alone() -> None:
    game = given(seat(), seat(), seat())
    for number in range(3):
        own = at(game, number)
        own_cards = own["hand"] + own["prep"]
        assert set(own["knows"]) == set(own_cards)


def test_a_drawn_card_is_known_to_its_player_alone() -> None:
    game = play(given(mine(), PLAIN, deck=["Comms 7"]), "DISCARD_FOR_ENERGY(Energy 1)")
    assert [knows(game, number, "Comms 7") for number in (0, 1)] == [[True], [False]]


def test_a_face_down_card_stays_known_to_its_player_when_it_is_covered() -> None:
    own = mine(prep=["Aqualab 1", "Energy 3"], knows=["Aqualab 5"])
    game = given(own, PLAIN, piles={AQUALAB: ["Aqualab 5"]}, face_down=["Aqualab 5"])
    decline(play(game, "PLAY_PREP(Aqualab 1)"))
    assert table(game)["piles"][AQUALAB] == ["Aqualab 5", "Aqualab 1"]
    assert [knows(game, number, "Aqualab 5") for number in (0, 1)] == [[True], [False]]


def test_a_face_down_card_that_is_taken_is_known_to_the_taker_and_who_put_it_there() -> None:
    own = mine(hand=["Habitation c", "Energy 1"], prep=["Aqualab 2", "Energy 3"])
    second = seat(knows=["Comms 5"])
    game = given(own, second, seat(), piles={COMMS_CENTER: ["Comms 5"]}, face_down=["Comms 5"])
    play(game, "PLAY_PREP(Aqualab 2)", "ACCEPT")
    assert "Comms 5" in at(game, 0)["hand"]
    assert [knows(game, number, "Comms 5") for number in range(3)] == [[True], [True], [False]]


def test_a_swap_of_prep_cards_leaves_both_cards_known_to_both_and_to_nobody_else() -> None:
    own = mine(hand=["Aqualab 3", "Energy 1"], prep=["Greenhouse 1", "Comms 1"])
    second = seat(hand=["Comms 3", "Comms 4"], prep=["Energy 3", "Energy 4"])
    game = given(own, second, seat())
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Comms 1)")
    assert knows(game, 1, "Comms 1") == [False]  # nothing moves before the second choice
    play(game, "SLOT(seat +1, slot 0)")
    assert at(game, 0)["prep"] == ["Greenhouse 1", "Energy 3"]
    assert at(game, 1)["prep"] == ["Comms 1", "Energy 4"]
    assert knows(game, 0, "Comms 1", "Energy 3", "Energy 4") == [True, True, False]
    assert knows(game, 1, "Comms 1", "Energy 3", "Greenhouse 1") == [True, True, False]
    assert knows(game, 2, "Comms 1", "Energy 3") == [False, False]


def test_a_card_given_away_to_the_da_stays_known_and_the_da_learns_nothing() -> None:
    own = mine(hand=["Aqualab 3", "Energy 1"], prep=["Greenhouse 1", "Comms 1"])
    game = given(own, seat(prep=["Energy 3", "Energy 4"]), mode="solo", discard=["Comms 7"])
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Comms 1)", "SLOT(seat +1, slot 0)")
    assert at(game, 1)["prep"] == ["Comms 1", "Energy 4"]
    assert knows(game, 0, "Comms 1", "Energy 3", "Energy 4") == [True, True, False]
    assert knows(game, 1, "Comms 1", "Energy 3", "Energy 4") == [False, False, False]


# --- places that can be told apart ----------------------------------------------------------------


def test_who_knows_two_swapped_prep_cards_still_knows_them() -> None:
    own = mine(hand=["Aqualab 3", "Energy 1"], prep=["Greenhouse 1", "Energy 2"])
    second = seat(hand=["Comms 3", "Comms 4"], prep=["Energy 3", "Energy 4"])
    third = seat(knows=["Energy 2", "Energy 3"])
    game = given(own, second, third)
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Energy 2)", "SLOT(seat +1, slot 0)")
    assert knows(game, 2, "Energy 2", "Energy 3", "Energy 4") == [True, True, False]


def test_a_known_prep_card_beside_one_of_its_suit_stays_known_when_the_other_leaves() -> None:
    own = mine(prep=["Greenhouse 1", "Greenhouse 3"])
    game = given(own, {**PLAIN, "knows": ["Greenhouse 1"]})
    play(game, "DISCARD_FOR_ENERGY(Greenhouse 3)")
    assert at(game, 0)["prep"][0] == "Greenhouse 1"
    assert knows(game, 1, "Greenhouse 1") == [True]


# --- out of a hand, face down ---------------------------------------------------------------------


COMMS, MIXED = ["Comms 1", "Comms 5"], ["Comms 1", "Energy 1"]
FILLS = [
    # hand, card drawn, card put down, cards that seat 1 knew, cards that it still knows
    (MIXED, "Aqualab 7", "Comms 1", ["Comms 1"], ["Comms 1"]),
    (COMMS, "Aqualab 7", "Comms 1", ["Comms 1"], []),
    (COMMS, "Aqualab 7", "Comms 5", ["Comms 1"], []),
    (COMMS, "Aqualab 7", "Comms 1", COMMS, []),
    (COMMS, "Aqualab 7", "Comms 5", COMMS, []),
    (MIXED, "Comms 7", "Comms 1", MIXED, ["Energy 1"]),
    (MIXED, "Comms 7", "Comms 7", MIXED, ["Energy 1"]),
    (COMMS, "Aqualab 7", "Aqualab 7", ["Comms 1"], ["Comms 1"]),
]


@pytest.mark.parametrize(("hand", "drawn", "card", "known", "still_known"), FILLS)
def test_a_fill_loses_the_known_cards_of_its_suit_unless_it_is_the_only_one(
    hand: list[str], drawn: str, card: str, known: list[str], still_known: list[str]
) -> None:
    own = mine(hand=hand, prep=["Greenhouse 1", "Aqualab 1"])
    game = given(own, {**PLAIN, "knows": known}, deck=[drawn])
    play(game, "DISCARD_FOR_ENERGY(Greenhouse 1)", f"CARD({card})")
    assert at(game, 0)["prep"][0] == card
    assert knows(game, 0, *hand) == [True, True]
    held = [*hand, drawn]
    assert knows(game, 1, *held) == [name in still_known for name in held]


def test_a_fill_leaves_what_is_known_outside_that_hand() -> None:
    own = mine(hand=["Comms 1", "Comms 5"], prep=["Greenhouse 1", "Comms 6"])
    game = given(own, {**PLAIN, "knows": ["Comms 1", "Comms 6"]}, piles={COMMS_CENTER: ["Comms 4"]})
    play(game, "DISCARD_FOR_ENERGY(Greenhouse 1)", "CARD(Comms 1)")
    assert knows(game, 1, "Comms 1", "Comms 6", "Comms 4") == [False, True, True]


@pytest.mark.parametrize(
    ("hand", "is_followed"), [(["Comms 1", "Energy 1"], True), (["Comms 1", "Comms 5"], False)]
)
def test_a_card_of_the_hand_put_under_the_deck_is_followed_if_its_suit_is_alone_there(
    hand: list[str], is_followed: bool
) -> None:
    game = given(mine(hand=hand, prep=["Aqualab 1", "Greenhouse 1"]), {**PLAIN, "knows": hand})
    play(game, "PLAY_PREP(Aqualab 1)", "ACCEPT", "ACCEPT", "CARD(Comms 1)")
    assert table(game)["deck"][-1] == "Comms 1"
    assert knows(game, 0, "Comms 1") == [True]
    assert knows(game, 1, "Comms 1", hand[1]) == [is_followed, is_followed]


def test_two_cards_put_under_the_deck_one_by_one() -> None:
    own = mine(hand=["Comms 1", "Energy 1"], prep=["Aqualab 4", "Comms 5"], energy=2)
    game = given(own, {**PLAIN, "knows": ["Comms 1", "Energy 1", "Comms 5"]})
    play(game, "PLAY_PREP(Aqualab 4)", "ACCEPT", "CARD(Energy 1)")
    assert table(game)["under"] == 1
    play(game, "CARD(Comms 1)")
    assert table(game)["deck"][-2:] == ["Energy 1", "Comms 1"]
    assert table(game)["under"] == 2
    for number in (0, 1):
        assert knows(game, number, "Comms 1", "Energy 1", "Comms 5") == [True, True, True]


def test_a_prep_card_put_under_the_deck_is_followed() -> None:
    own = mine(hand=["Comms 1", "Energy 1"], prep=["Aqualab 1", "Comms 5"])
    game = given(own, {**PLAIN, "knows": ["Comms 1", "Comms 5"]}, deck=["Greenhouse 5", "Greenhouse 6"])
    play(game, "PLAY_PREP(Aqualab 1)", "ACCEPT", "ACCEPT", "CARD(Comms 5)")
    assert table(game)["deck"][-1] == "Comms 5"
    assert knows(game, 1, "Comms 1", "Comms 5") == [True, True]
    assert knows(game, 0, "Comms 5") == [True]


# --- cards of the deck (R-LOOK) ---------------------------------------------------------------------


def known_deck(*under: str, hand: list[str]) -> Game:
    """Return a two-player game whose deck holds only the cards `under`; both seats know them."""
    own = mine(hand=hand, prep=["Greenhouse 1", "Greenhouse 2"])
    other = {"hand": ["Comms 1", "Energy 1"], "prep": ["Greenhouse 3", "Greenhouse 4"]}
    used = [*hand, *own["prep"], *other["hand"], *other["prep"], *under]
    own, other = {**own, "knows": list(under)}, {**other, "knows": list(under)}
    return given(own, other, under=list(under), discard=all_but(*used))


def test_a_known_card_of_the_deck_is_followed_into_the_hand_that_draws_it() -> None:
    game = known_deck("Aqualab 5", "Habitation a", "Habitation b", hand=["Comms 7", "Energy 5"])
    play(game, "DISCARD_FOR_ENERGY(Comms 7)")
    assert at(game, 0)["hand"] == ["Aqualab 5", "Energy 5"]
    assert table(game)["under"] == 2
    assert [knows(game, number, "Aqualab 5", "Habitation a") for number in (0, 1)] == [[True, True]] * 2


@pytest.mark.parametrize(("second", "is_followed"), [("Energy 6", True), ("Aqualab 6", False)])
def test_r_keep_of_two_known_cards_others_follow_both_unless_they_are_of_one_suit(
    second: str, is_followed: bool
) -> None:
    game = known_deck("Aqualab 5", second, "Habitation a", "Habitation b", hand=["Comms 2", "Energy 5"])
    play(game, "PLAY_HAND(Comms 2)", f"CARD({second})")
    assert knows(game, 0, "Aqualab 5", second) == [True, True]
    assert knows(game, 1, "Aqualab 5", second) == [is_followed, is_followed]


def test_a_known_card_is_followed_into_the_da_module() -> None:
    own = seat(
        hand=["Energy 6", "Energy 5"], prep=["Aqualab 6", "Greenhouse 2"], knows=["Comms 1", "Comms 2"]
    )
    module = seat(prep=["Habitation b", "Habitation c"], ship=5)
    game = given(own, module, mode="solo", deck=["Energy 1", "Energy 2"], under=["Comms 1", "Comms 2"],
                 discard=all_but("Energy 6", "Energy 5", "Aqualab 6", "Greenhouse 2", "Habitation b",
                                 "Habitation c", "Energy 1", "Energy 2", "Comms 1", "Comms 2"))  # fmt: skip
    play(
        game, "DISCARD_FOR_ENERGY(Energy 6)", "SLOT(seat +1, slot 0)"
    )  # the DA's other card acts, then the module is refilled
    assert knows(game, 0, "Comms 1") == [True]
    assert "Comms 1" in at(game, 1)["prep"]


# --- swaps of hand and prep -----------------------------------------------------------------------


@pytest.mark.parametrize("swapped", ["Comms 5", "Aqualab 1"])
def test_a_swap_of_hand_and_prep_is_followed_by_those_who_know_the_cards(swapped: str) -> None:
    own = mine(hand=["Habitation d", "Comms 1"], prep=["Comms 5", "Aqualab 1"])
    game = given(own, {**PLAIN, "knows": ["Comms 1", "Comms 5"]}, deck=["Greenhouse 7"])
    play(game, "PLAY_HAND(Habitation d)", f"CARD({swapped})")
    assert "Comms 1" in at(game, 0)["prep"]
    assert swapped in at(game, 0)["hand"]
    # Comms 1 was the only Comms card in the hand before the swap, even when Comms 5 enters it
    assert knows(game, 1, "Comms 1", "Comms 5", "Aqualab 1") == [True, True, False]


# --- the deck -------------------------------------------------------------------------------------


def test_nobody_knows_a_card_of_a_rebuilt_deck() -> None:
    own, other = mine(), PLAIN
    piles = {COMMS_CENTER: ["Comms 5", "Comms 6"], HABITATION: ["Habitation c", "Habitation d"]}
    held = [*own["hand"], *own["prep"], *other["hand"], *other["prep"]]
    discard = all_but(*held, *[card for pile in piles.values() for card in pile], "Aqualab 7")
    game = given(
        {**own, "knows": ["Habitation d", "Comms 5"]},
        other,
        deck=["Aqualab 7"],
        piles=piles,
        face_down=["Comms 5", "Habitation d"],
        discard=discard,
    )
    play(game, "DISCARD_FOR_ENERGY(Energy 1)")
    deck = table(game)["deck"]
    assert {"Comms 5", "Habitation c", "Energy 1", "Comms 7"} <= set(deck)
    assert knows(game, 0, *deck) == knows(game, 1, *deck) == [False] * len(deck)
    assert knows(game, 0, "Habitation d", "Comms 6") == [True, True]  # the top cards of the piles stay
    assert knows(game, 1, "Habitation d", "Comms 6") == [False, True]


# --- Devious Automatics ---------------------------------------------------------------------------


def test_the_da_does_not_know_its_own_module() -> None:
    game = Game(mode="solo", seed=3)
    while game.decision == "PREP":
        game.step(game.legal[0])
    assert at(game, 1)["prep"] != [None, None]
    assert at(game, 1)["knows"] == []


def test_the_da_knows_what_lies_open() -> None:
    game = given(mine(), seat(prep=["Energy 3", "Comms 4"]), mode="solo", discard=["Comms 7"])
    play(game, "LAUNCH", "SLOT(seat +1, slot 0)")
    data = table(game)
    assert set(data["seats"][1]["knows"]) == set(data["discard"])
    assert {"Comms 7", "Energy 3"} <= set(data["discard"])


def test_a_known_card_of_the_das_module_is_followed_by_the_da_into_the_players_hand() -> None:
    da = seat(prep=["Energy 3", "Comms 4"], knows=["Energy 3"])
    game = given(mine(hand=["Habitation a", "Habitation b"]), da, mode="solo")
    play(game, "DISCARD_FOR_ENERGY(Habitation a)", "SLOT(seat +1, slot 0)")
    assert "Energy 3" in at(game, 0)["hand"]
    assert knows(game, 1, "Energy 3", "Habitation b") == [True, False]


def test_the_das_module_is_refilled_with_cards_that_nobody_knows() -> None:
    game = given(
        mine(), seat(prep=["Energy 3", "Comms 4"]), mode="solo", deck=["Comms 5", "Comms 6", "Comms 7"]
    )
    play(game, "LAUNCH", "SLOT(seat +1, slot 0)")
    assert at(game, 1)["prep"] == ["Comms 7", "Comms 4"]  # Comms 4 acted and stays unrevealed
    assert knows(game, 0, "Comms 7", "Comms 4") == knows(game, 1, "Comms 7", "Comms 4") == [False, False]
