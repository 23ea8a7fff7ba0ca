"""The bottom actions that move or show cards; each text is tested on every card that has it."""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import (
    AQUALAB,
    COMMS_CENTER,
    ENERGY_BANK,
    HABITATION,
    cards,
    choices,
    decision_of,
    given,
    play,
    seat,
)
from tests.changes import changes
from tests.games.pocket_mars.halves import after_bottom, begin_bottom, is_bottom_offered, with_bottom

PAY_1_LOOK = ["Habitation a", "Habitation e", "Habitation f"]
LOOK = ["Aqualab 6", *PAY_1_LOOK]


def knows(game: Game, number: int) -> set[str]:
    """Return the cards whose place a seat knows."""
    return set(cards(game.snapshot()["seats"][number]["knows"]))


# --- Comms 2: take 1 card of your choice from the discard pile -----------------------------------------


def test_comms_2_takes_a_card_from_the_discard_pile() -> None:
    game = given(with_bottom("Comms 2"), seat(), discard=["Comms 7", "Aqualab 2", "Energy 4"])
    before = begin_bottom(game, "Comms 2")
    assert decision_of(game) == (0, "TAKE_DISCARD", ["CARD(Aqualab 2)", "CARD(Energy 4)", "CARD(Comms 7)"])
    play(game, "CARD(Energy 4)")
    assert changes(before, game) == {"Energy 4": "discard → hand of 0"}


def test_comms_2_takes_the_only_discarded_card_unasked() -> None:
    game = given(with_bottom("Comms 2"), seat(), discard=["Comms 7"])
    assert after_bottom(game, "Comms 2") == {"Comms 7": "discard → hand of 0"}


def test_comms_2_is_not_offered_without_a_discarded_card() -> None:
    assert not is_bottom_offered(given(with_bottom("Comms 2"), seat()), "Comms 2")


# --- Aqualab 2: take the top card of a Building of your choice -----------------------------------------


def test_aqualab_2_takes_the_top_card_of_another_building() -> None:
    """Aqualab 2 cannot take a card from its own Building, though one lies under it there."""
    game = given(
        with_bottom("Aqualab 2"),
        seat(),
        piles={
            AQUALAB: ["Aqualab 5"],
            ENERGY_BANK: ["Energy 1", "Energy 4"],
            COMMS_CENTER: ["Comms 6"],
            HABITATION: ["Habitation a"],
        },
        face_down=["Comms 6"],
    )
    before = begin_bottom(game, "Aqualab 2")
    assert (game.to_play, game.decision) == (0, "TAKE_TOP")
    assert choices(game) == ["BUILDING(Energy Bank)", "BUILDING(Comms Center)", "BUILDING(Habitation)"]
    play(game, "BUILDING(Energy Bank)")
    assert changes(before, game) == {"Energy 4": "pile → hand of 0"}


def test_aqualab_2_takes_the_only_top_card_unasked_even_face_down() -> None:
    game = given(with_bottom("Aqualab 2"), seat(), piles={COMMS_CENTER: ["Comms 6"]}, face_down=["Comms 6"])
    assert after_bottom(game, "Aqualab 2") == {"Comms 6": "pile, face down → hand of 0"}


def test_aqualab_2_is_not_offered_without_a_card_at_another_building() -> None:
    game = given(with_bottom("Aqualab 2"), seat(), piles={AQUALAB: ["Aqualab 5"]})
    assert not is_bottom_offered(game, "Aqualab 2")


# --- Energy 6: use 2: turn the top card of a Building of your choice face down --------------------------


def test_energy_6_turns_the_top_card_of_another_building() -> None:
    """Energy 6 cannot turn a card of its own Building, or a card that is already face down."""
    game = given(
        with_bottom("Energy 6", energy=3),
        seat(),
        piles={
            AQUALAB: ["Aqualab 1", "Aqualab 5"],
            ENERGY_BANK: ["Energy 1"],
            COMMS_CENTER: ["Comms 6"],
            HABITATION: ["Habitation a"],
        },
        face_down=["Comms 6"],
    )
    before = begin_bottom(game, "Energy 6")
    assert decision_of(game) == (0, "TURN_DOWN", ["BUILDING(Aqualab)", "BUILDING(Habitation)"])
    assert changes(before, game) == {"energy of 0": -2}
    play(game, "BUILDING(Aqualab)")
    assert changes(before, game) == {"energy of 0": -2, "Aqualab 5": "pile → pile, face down"}


def test_energy_6_turns_the_only_top_card_unasked_and_all_still_know_it() -> None:
    game = given(with_bottom("Energy 6", energy=2), seat(), piles={AQUALAB: ["Aqualab 5"]})
    assert after_bottom(game, "Energy 6") == {"energy of 0": -2, "Aqualab 5": "pile → pile, face down"}
    assert "Aqualab 5" in knows(game, 0) & knows(game, 1)


def test_energy_6_needs_2_energy_and_a_card_face_up_at_another_building() -> None:
    poor = given(with_bottom("Energy 6", energy=1), seat(), piles={AQUALAB: ["Aqualab 5"]})
    assert not is_bottom_offered(poor, "Energy 6")
    face_down = given(
        with_bottom("Energy 6", energy=6),
        seat(),
        piles={AQUALAB: ["Aqualab 5"], ENERGY_BANK: ["Energy 1"]},
        face_down=["Aqualab 5"],
    )
    assert not is_bottom_offered(face_down, "Energy 6")


# --- Aqualab 4: use 2: put up to 2 cards from your hand under the deck ----------------------------------


def with_aqualab_4(hand: list[str], energy: int = 2) -> Game:
    return given(seat(hand=hand, prep=["Aqualab 4", "Energy 1"], energy=energy, ship=0), seat())


def test_aqualab_4_puts_two_cards_under_the_deck_one_after_the_other() -> None:
    game = with_aqualab_4(["Comms 1", "Comms 2", "Energy 2"])
    before = begin_bottom(game, "Aqualab 4")
    assert decision_of(game) == (0, "PUT_UNDER", ["PASS", "CARD(Energy 2)", "CARD(Comms 1)", "CARD(Comms 2)"])
    assert changes(before, game) == {"energy of 0": -2}
    play(game, "CARD(Comms 2)")
    assert decision_of(game) == (0, "PUT_UNDER", ["PASS", "CARD(Energy 2)", "CARD(Comms 1)"])
    play(game, "CARD(Energy 2)")
    assert game.decision == "ABILITY"
    assert changes(before, game) == {
        "energy of 0": -2,
        "Comms 2": "hand of 0 → deck",
        "Energy 2": "hand of 0 → deck",
    }
    assert cards(game.snapshot()["deck"])[-2:] == ["Comms 2", "Energy 2"]


def test_aqualab_4_may_stop_after_one_card_or_none() -> None:
    one = with_aqualab_4(["Comms 1", "Comms 2"])
    assert after_bottom(one, "Aqualab 4", "CARD(Comms 1)", "PASS") == {
        "energy of 0": -2,
        "Comms 1": "hand of 0 → deck",
    }
    none = with_aqualab_4(["Comms 1", "Comms 2"])
    assert after_bottom(none, "Aqualab 4", "PASS") == {"energy of 0": -2}


def test_aqualab_4_asks_once_with_one_card_in_hand() -> None:
    game = with_aqualab_4(["Comms 1"], energy=7)
    assert after_bottom(game, "Aqualab 4", "CARD(Comms 1)") == {
        "energy of 0": -2,
        "Comms 1": "hand of 0 → deck",
    }


def test_aqualab_4_needs_2_energy_and_a_card_in_hand() -> None:
    assert not is_bottom_offered(with_aqualab_4(["Comms 1", "Comms 2"], energy=1), "Aqualab 4")
    assert not is_bottom_offered(with_aqualab_4([], energy=7), "Aqualab 4")


# --- look at the 2 cards in another player's prep module ------------------------------------------------


def price(card: str) -> dict[str, int]:
    """Return the changes that pay for a look: 1 energy, except with Aqualab 6."""
    return {} if card == "Aqualab 6" else {"energy of 0": -1}


def looking(card: str, *others: dict[str, Any], **mine: Any) -> Game:
    return given(with_bottom(card, **mine), seat(prep=["Energy 1", "Comms 1"]), *others)


@pytest.mark.parametrize("card", LOOK)
def test_look_at_the_only_other_prep_module(card: str) -> None:
    game = looking(card)
    known = knows(game, 0), knows(game, 1)
    assert after_bottom(game, card) == price(card)
    assert knows(game, 0) == known[0] | {"Energy 1", "Comms 1"}
    assert knows(game, 1) == known[1] | {card}


@pytest.mark.parametrize("card", LOOK)
def test_look_asks_whose_prep_module(card: str) -> None:
    game = looking(card, seat(prep=["Energy 2", "Comms 2"]), seat(prep=["Energy 3", "Comms 3"]))
    before = begin_bottom(game, card)
    assert decision_of(game) == (0, "LOOK", ["SEAT(seat +1)", "SEAT(seat +2)", "SEAT(seat +3)"])
    known = [knows(game, number) for number in range(4)]
    play(game, "SEAT(seat +2)")
    assert changes(before, game) == price(card)
    assert knows(game, 0) == known[0] | {"Energy 2", "Comms 2"}
    assert [knows(game, number) for number in (1, 2, 3)] == known[1:]


@pytest.mark.parametrize("card", LOOK)
def test_a_prep_module_of_known_cards_is_not_offered(card: str) -> None:
    """A prep module with a single unknown card is offered."""
    both_known = seat(prep=["Energy 2", "Comms 2"])
    one_known = seat(prep=["Energy 3", "Comms 3"])
    game = looking(card, both_known, one_known, knows=["Energy 2", "Comms 2", "Comms 3"])
    begin_bottom(game, card)
    assert choices(game) == ["SEAT(seat +1)", "SEAT(seat +3)"]


@pytest.mark.parametrize("card", LOOK)
def test_look_is_not_offered_without_an_unknown_card(card: str) -> None:
    assert not is_bottom_offered(looking(card, knows=["Energy 1", "Comms 1"], energy=7), card)


@pytest.mark.parametrize("card", LOOK)
def test_look_is_not_offered_at_an_empty_prep_module(card: str) -> None:
    game = given(with_bottom(card), seat(hand=["Energy 1", "Comms 1"], prep=[None, None]))
    assert not is_bottom_offered(game, card)


@pytest.mark.parametrize("card", PAY_1_LOOK)
def test_look_for_1_energy_needs_the_energy(card: str) -> None:
    assert not is_bottom_offered(looking(card, energy=0), card)
