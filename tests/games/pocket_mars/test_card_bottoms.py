"""The bottom actions that move colonists and energy, one test per text, for every card that bears it.

The other player has a colonist on ★ of the Energy Bank, so that the Greenhouse's ability, which is
asked next, always has something to move.
"""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import ENERGY_BANK, GREENHOUSE, choices, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_bottom, here, is_bottom_offered, one_in, spares, with_bottom

LAUNCH_IF_NONE_HERE = ["Comms 1", "Energy 1", "Aqualab 1", "Greenhouse 1"]
LAUNCH_IF_SUIT_IN_HAND = [
    "Comms 5",
    "Comms 7",
    "Energy 5",
    "Energy 7",
    "Aqualab 5",
    "Aqualab 7",
    "Greenhouse 5",
    "Greenhouse 7",
]
PAY_1_LAUNCH_1 = ["Greenhouse 3", "Habitation b", "Habitation g"]
PAY_3_SETTLE_ANYWHERE = ["Habitation c", "Habitation d"]


def holding(card: str, **mine: Any) -> Game:
    """Seat 0 has the card in its prep module; seat 1 has a colonist on ★ of the Energy Bank."""
    return given(with_bottom(card, **mine), seat(star=[0, 0, 1, 0]))


# --- if none of your colonists is here: launch 2 --------------------------------------------------


@pytest.mark.parametrize("card", LAUNCH_IF_NONE_HERE)
def test_launch_2_with_no_colonist_here(card: str) -> None:
    everywhere_else = [1 - count for count in one_in(here(card))]
    mine = with_bottom(card, ship=0, star=everywhere_else)
    game = given(mine, seat(star=one_in(here(card)), star2=one_in(here(card))))
    assert after_bottom(game, card) == {"earth of 0": -2, "ship of 0": 2}


@pytest.mark.parametrize("card", LAUNCH_IF_NONE_HERE)
def test_launch_2_with_one_on_earth_launches_one(card: str) -> None:
    game = holding(card, ship=6)
    assert after_bottom(game, card) == {"earth of 0": -1, "ship of 0": 1}


@pytest.mark.parametrize("space", ["star", "star2"])
@pytest.mark.parametrize("card", LAUNCH_IF_NONE_HERE)
def test_no_launch_with_a_colonist_here(card: str, space: str) -> None:
    assert not is_bottom_offered(holding(card, **{space: one_in(here(card))}), card)


@pytest.mark.parametrize("card", LAUNCH_IF_NONE_HERE)
def test_launch_2_is_not_offered_with_nobody_on_earth(card: str) -> None:
    assert not is_bottom_offered(holding(card, ship=7), card)


def test_the_colonist_that_settles_for_the_value_counts_as_here() -> None:
    """A 1 beats a card that lies face down."""
    covered: dict[str, Any] = {"piles": {GREENHOUSE: ["Greenhouse 7"]}, "face_down": ["Greenhouse 7"]}
    settled = given(with_bottom("Greenhouse 1"), seat(), **covered)
    play(settled, "PLAY_PREP(Greenhouse 1)", "ACCEPT")
    assert settled.decision == "ABILITY"
    stayed = given(with_bottom("Greenhouse 1"), seat(), **covered)
    play(stayed, "PLAY_PREP(Greenhouse 1)", "PASS")
    assert stayed.decision == "BOTTOM"


# --- the 5s and 7s: if own suit in hand: launch 1 -------------------------------------------------


def with_suit_in_hand(card: str, **mine: Any) -> Game:
    """Seat 0 also has another card of the suit in hand."""
    return holding(card, hand=[f"{card.split()[0]} 3", "Habitation d"], prep=[card, "Habitation e"], **mine)


@pytest.mark.parametrize("card", LAUNCH_IF_SUIT_IN_HAND)
def test_launch_1_with_the_suit_in_hand(card: str) -> None:
    assert after_bottom(with_suit_in_hand(card), card) == {"earth of 0": -1, "ship of 0": 1}


@pytest.mark.parametrize("card", LAUNCH_IF_SUIT_IN_HAND)
def test_no_launch_without_the_suit_in_hand(card: str) -> None:
    """The card itself and a card of the suit in the prep module do not count."""
    hand, suit = spares(card)[:2], card.split()[0]
    assert not is_bottom_offered(holding(card, hand=hand, prep=[f"{suit} 3", card]), card)


@pytest.mark.parametrize("card", LAUNCH_IF_SUIT_IN_HAND)
def test_launch_1_is_not_offered_with_nobody_on_earth(card: str) -> None:
    assert not is_bottom_offered(with_suit_in_hand(card, ship=7), card)


# --- launch 1; use n: launch n --------------------------------------------------------------------


def test_greenhouse_2_launches_1() -> None:
    assert after_bottom(holding("Greenhouse 2"), "Greenhouse 2") == {"earth of 0": -1, "ship of 0": 1}


def test_greenhouse_2_is_not_offered_with_nobody_on_earth() -> None:
    assert not is_bottom_offered(holding("Greenhouse 2", ship=7), "Greenhouse 2")


@pytest.mark.parametrize("card", PAY_1_LAUNCH_1)
def test_use_1_launch_1(card: str) -> None:
    game = holding(card, energy=1)
    assert after_bottom(game, card) == {"energy of 0": -1, "earth of 0": -1, "ship of 0": 1}


@pytest.mark.parametrize("card", PAY_1_LAUNCH_1)
def test_use_1_launch_1_needs_the_energy_and_somebody_on_earth(card: str) -> None:
    assert not is_bottom_offered(holding(card, energy=0), card)
    assert not is_bottom_offered(holding(card, energy=7, ship=7), card)


@pytest.mark.parametrize(("ship", "launched"), [(0, 2), (5, 2), (6, 1)])
def test_energy_4_uses_2_and_launches_2(ship: int, launched: int) -> None:
    game = holding("Energy 4", ship=ship, energy=2)
    assert after_bottom(game, "Energy 4") == {
        "energy of 0": -2,
        "earth of 0": -launched,
        "ship of 0": launched,
    }


def test_energy_4_needs_2_energy_and_somebody_on_earth() -> None:
    assert not is_bottom_offered(holding("Energy 4", energy=1), "Energy 4")
    assert not is_bottom_offered(holding("Energy 4", energy=6, ship=7), "Energy 4")


# --- gaining energy -------------------------------------------------------------------------------


@pytest.mark.parametrize(("energy", "gained"), [(0, 2), (5, 2), (6, 1)])
def test_energy_2_gains_2(energy: int, gained: int) -> None:
    assert after_bottom(holding("Energy 2", energy=energy), "Energy 2") == {"energy of 0": gained}


def test_energy_2_is_not_offered_with_a_full_energy_track() -> None:
    assert not is_bottom_offered(holding("Energy 2", energy=7), "Energy 2")


@pytest.mark.parametrize(("ship", "energy", "gained"), [(2, 0, 2), (7, 5, 2), (2, 6, 1)])
def test_energy_3_gains_2_with_2_colonists_on_the_ship(ship: int, energy: int, gained: int) -> None:
    game = holding("Energy 3", ship=ship, energy=energy)
    assert after_bottom(game, "Energy 3") == {"energy of 0": gained}


def test_energy_3_needs_2_colonists_on_the_ship_and_a_free_energy_space() -> None:
    assert not is_bottom_offered(holding("Energy 3", ship=1), "Energy 3")
    assert not is_bottom_offered(holding("Energy 3", ship=5, energy=7), "Energy 3")


def test_energy_3_counts_the_ship_after_the_colonist_has_settled() -> None:
    game = given(
        with_bottom("Energy 3", ship=2),
        seat(),
        piles={ENERGY_BANK: ["Energy 1"]},
    )
    play(game, "PLAY_PREP(Energy 3)", "ACCEPT")
    assert game.decision == "ABILITY"


# --- settling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", PAY_3_SETTLE_ANYWHERE)
def test_use_3_settle_1_anywhere(card: str) -> None:
    game = holding(card, ship=2, energy=4)
    assert after_bottom(game, card, "BUILDING(Comms Center)") == {
        "energy of 0": -3,
        "ship of 0": -1,
        "★ Comms Center of 0": 1,
    }


@pytest.mark.parametrize("card", PAY_3_SETTLE_ANYWHERE)
def test_use_3_settle_1_anywhere_is_paid_before_the_building_is_chosen(card: str) -> None:
    game = holding(card, ship=2, energy=3)
    assert is_bottom_offered(game, card)
    before = game.snapshot()
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "SETTLE_WHERE")
    assert choices(game) == [
        "BUILDING(Greenhouse)",
        "BUILDING(Aqualab)",
        "BUILDING(Energy Bank)",
        "BUILDING(Comms Center)",
    ]
    assert changes(before, game) == {"energy of 0": -3}


@pytest.mark.parametrize("card", PAY_3_SETTLE_ANYWHERE)
def test_use_3_settle_1_anywhere_needs_the_energy_and_somebody_on_the_ship(card: str) -> None:
    assert not is_bottom_offered(holding(card, ship=2, energy=2), card)
    assert not is_bottom_offered(holding(card, ship=0, energy=7), card)


@pytest.mark.parametrize("earth", [1, 6])
def test_aqualab_3_discards_its_suit_and_settles_from_earth(earth: int) -> None:
    hand, prep = ["Aqualab 6", "Comms 1"], ["Aqualab 3", "Comms 2"]
    game = holding("Aqualab 3", hand=hand, prep=prep, ship=7 - earth)
    assert after_bottom(game, "Aqualab 3") == {
        "Aqualab 6": "hand of 0 → discard",
        "earth of 0": -1,
        "★ Aqualab of 0": 1,
    }


def test_aqualab_3_asks_which_card_of_its_suit() -> None:
    hand = ["Aqualab 4", "Aqualab 6", "Comms 1"]
    game = holding("Aqualab 3", hand=hand, prep=["Aqualab 3", "Aqualab 7"])
    assert is_bottom_offered(game, "Aqualab 3")
    before = game.snapshot()
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "DISCARD_SUIT")
    assert choices(game) == ["CARD(Aqualab 4)", "CARD(Aqualab 6)"]
    play(game, "CARD(Aqualab 4)")
    assert changes(before, game) == {
        "Aqualab 4": "hand of 0 → discard",
        "earth of 0": -1,
        "★ Aqualab of 0": 1,
    }


def test_aqualab_3_needs_its_suit_in_hand_and_somebody_on_earth() -> None:
    in_prep_only = holding("Aqualab 3", hand=["Comms 1", "Comms 2"], prep=["Aqualab 3", "Aqualab 7"])
    assert not is_bottom_offered(in_prep_only, "Aqualab 3")
    hand, prep = ["Aqualab 6", "Comms 1"], ["Aqualab 3", "Comms 2"]
    assert not is_bottom_offered(holding("Aqualab 3", hand=hand, prep=prep, ship=7), "Aqualab 3")


# --- Comms 3 and Comms 6 --------------------------------------------------------------------------


@pytest.mark.parametrize(("ship", "launched"), [(0, 2), (4, 2)])
def test_comms_3_discards_its_suit_and_launches_2(ship: int, launched: int) -> None:
    hand, prep = ["Comms 6", "Energy 1"], ["Comms 3", "Energy 2"]
    game = holding("Comms 3", hand=hand, prep=prep, ship=ship)
    assert after_bottom(game, "Comms 3") == {
        "Comms 6": "hand of 0 → discard",
        "earth of 0": -launched,
        "ship of 0": launched,
    }


def test_comms_3_launches_the_last_one_from_earth() -> None:
    """After that the Comms Center's ability would change nothing: two cards are drawn."""
    hand, prep = ["Comms 6", "Energy 1"], ["Comms 3", "Energy 2"]
    game = given(
        with_bottom("Comms 3", hand=hand, prep=prep, ship=6), seat(), deck=["Aqualab 1", "Aqualab 2"]
    )
    assert is_bottom_offered(game, "Comms 3")
    before = game.snapshot()
    play(game, "ACCEPT")
    assert game.decision == "FILL"
    assert changes(before, game) == {
        "Comms 6": "hand of 0 → discard",
        "Aqualab 1": "deck → hand of 0",
        "Aqualab 2": "deck → hand of 0",
        "earth of 0": -1,
        "ship of 0": 1,
    }


def test_comms_3_asks_which_card_of_its_suit() -> None:
    hand = ["Comms 6", "Comms 7", "Energy 1"]
    game = holding("Comms 3", hand=hand, prep=["Comms 3", "Comms 1"])
    assert is_bottom_offered(game, "Comms 3")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "DISCARD_SUIT")
    assert choices(game) == ["CARD(Comms 6)", "CARD(Comms 7)"]


def test_comms_3_needs_its_suit_in_hand_and_somebody_on_earth() -> None:
    in_prep_only = holding("Comms 3", hand=["Energy 1", "Energy 2"], prep=["Comms 3", "Comms 7"])
    assert not is_bottom_offered(in_prep_only, "Comms 3")
    nobody = holding("Comms 3", hand=["Comms 6", "Energy 1"], prep=["Comms 3", "Energy 2"], ship=7)
    assert not is_bottom_offered(nobody, "Comms 3")


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("RECALL(Greenhouse, ★)", "★ Greenhouse of 0"),
        ("RECALL(Greenhouse, ★★)", "★★ Greenhouse of 0"),
        ("RECALL(Comms Center, ★)", "★ Comms Center of 0"),
    ],
)
def test_comms_6_brings_one_back_and_gains_2(answer: str, place: str) -> None:
    game = holding("Comms 6", ship=0, star=[1, 0, 0, 2], star2=[1, 0, 0, 0])
    assert after_bottom(game, "Comms 6", answer) == {place: -1, "ship of 0": 1, "energy of 0": 2}


def test_comms_6_offers_own_colonists_on_both_spaces() -> None:
    game = given(
        with_bottom("Comms 6", ship=0, star=[1, 0, 0, 2], star2=[1, 1, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 0, 1, 0]),
    )
    assert is_bottom_offered(game, "Comms 6")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "RECALL")
    assert choices(game) == [
        "RECALL(Greenhouse, ★)",
        "RECALL(Greenhouse, ★★)",
        "RECALL(Aqualab, ★★)",
        "RECALL(Comms Center, ★)",
    ]


def test_comms_6_brings_the_only_one_back_unasked() -> None:
    game = holding("Comms 6", ship=0, star2=[0, 1, 0, 0], energy=6)
    assert after_bottom(game, "Comms 6") == {"★★ Aqualab of 0": -1, "ship of 0": 1, "energy of 0": 1}


def test_comms_6_needs_a_colonist_in_a_building_and_no_free_energy_space() -> None:
    assert not is_bottom_offered(holding("Comms 6"), "Comms 6")
    assert is_bottom_offered(holding("Comms 6", star=[1, 0, 0, 0], energy=7), "Comms 6")
