"""The abilities of the five Buildings, triggered by a card from a prep module."""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import cards, choices, given, play, seat
from tests.changes import Changes, changes
from tests.games.pocket_mars.halves import downgraded, settled, upgraded

PLAYED = {
    "Greenhouse": "Greenhouse 7",
    "Aqualab": "Aqualab 7",
    "Energy Bank": "Energy 7",
    "Comms Center": "Comms 7",
    "Habitation": "Habitation a",
}
"""Building → a card whose bottom action needs another card of its suit in hand, or energy."""


def playing(building: str, *others: dict[str, Any], **mine: Any) -> Game:
    """Return a position: seat 0 has no energy, and its only card of the Building's suit is in prep slot 0."""
    spare = ["Greenhouse 1", "Greenhouse 2", "Greenhouse 3"]
    if building == "Greenhouse":
        spare = ["Comms 1", "Comms 2", "Comms 3"]
    entry = {"hand": spare[:2], "prep": [PLAYED[building], spare[2]], "energy": 0, **mine}
    return given(seat(**entry), *(others or (seat(),)))


def is_offered(game: Game, building: str) -> bool:
    """Play the card without settling for its value, and return whether the ability is offered."""
    play(game, f"PLAY_PREP({PLAYED[building]})")
    if game.decision == "SETTLE":
        play(game, "PASS")
    assert game.to_play == 0
    assert game.decision in ("ABILITY", "FILL")
    return game.decision == "ABILITY"


def after_ability(game: Game, building: str, *answers: str) -> Changes:
    """Accept the ability, play `answers`, and return its changes without the card drawn afterwards."""
    assert is_offered(game, building)
    assert choices(game) == ["PASS", "ACCEPT"]
    before = game.snapshot()
    play(game, "ACCEPT", *answers)
    assert (game.to_play, game.decision) == (0, "FILL")
    found = changes(before, game)
    assert found.pop(cards(before["deck"])[0]) == "deck → hand of 0"
    return found


@pytest.mark.parametrize("building", PLAYED)
def test_an_ability_may_be_declined(building: str) -> None:
    game = playing(building, seat(star=[1, 0, 0, 0]), ship=2)
    assert is_offered(game, building)
    before = game.snapshot()
    play(game, "PASS")
    assert (game.to_play, game.decision) == (0, "FILL")
    assert changes(before, game) == {cards(before["deck"])[0]: "deck → hand of 0"}


@pytest.mark.parametrize("building", PLAYED)
def test_the_ability_of_another_players_card_is_the_active_players(building: str) -> None:
    owner = seat(hand=["Comms 4", "Comms 5"], prep=[None, PLAYED[building]], energy=0)
    if building == "Comms Center":
        owner["hand"] = ["Energy 4", "Energy 5"]
    game = given(seat(ship=2, star=[1, 0, 0, 0]), owner)
    play(game, "PLAY_OTHER(seat +1, slot 1)")
    assert (game.to_play, game.decision) == (0, "ABILITY")


# --- Greenhouse: move any one colonist of any player ★→★★ or ★★→★ ----------------------------------

SHIFTS: dict[str, Changes] = {
    "SHIFT(Greenhouse, self, ★→★★)": upgraded("Greenhouse"),
    "SHIFT(Aqualab, seat +1, ★→★★)": upgraded("Aqualab", 1),
    "SHIFT(Energy Bank, self, ★★→★)": downgraded("Energy Bank"),
    "SHIFT(Comms Center, seat +1, ★★→★)": downgraded("Comms Center", 1),
}


def greenhouse_with_four_shifts() -> Game:
    """Return a position in which each player has a colonist to upgrade and one to downgrade."""
    return playing(
        "Greenhouse",
        seat(star=[0, 1, 0, 0], star2=[0, 0, 0, 1]),
        ship=0,
        star=[1, 0, 0, 0],
        star2=[0, 0, 1, 0],
    )


def test_greenhouse_offers_everybodys_colonists_in_both_directions() -> None:
    game = greenhouse_with_four_shifts()
    assert is_offered(game, "Greenhouse")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "SHIFT")
    assert choices(game) == list(SHIFTS)


@pytest.mark.parametrize("shift", SHIFTS)
def test_greenhouse_moves_the_colonist_chosen(shift: str) -> None:
    assert after_ability(greenhouse_with_four_shifts(), "Greenhouse", shift) == SHIFTS[shift]


def test_greenhouse_moves_the_only_colonist_unasked() -> None:
    game = playing("Greenhouse", seat(star=[0, 0, 0, 2]), ship=0)
    assert after_ability(game, "Greenhouse") == upgraded("Comms Center", 1)


def test_with_two_players_greenhouse_finds_star2_full_with_one_colonist() -> None:
    game = playing("Greenhouse", seat(star=[1, 0, 0, 0]), ship=0, star=[1, 0, 0, 0], star2=[1, 0, 0, 0])
    assert after_ability(game, "Greenhouse") == downgraded("Greenhouse")


def test_greenhouse_needs_a_colonist_in_a_building() -> None:
    assert not is_offered(playing("Greenhouse", seat(ship=7)), "Greenhouse")


# --- Aqualab: put 1 card from hand or prep module face down at the bottom of the deck ---------------------


def test_aqualab_offers_the_cards_of_hand_and_prep_module() -> None:
    game = playing("Aqualab")
    assert is_offered(game, "Aqualab")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "PUT_UNDER")
    assert choices(game) == ["CARD(Greenhouse 1)", "CARD(Greenhouse 2)", "CARD(Greenhouse 3)"]


@pytest.mark.parametrize(("card", "place"), [("Greenhouse 2", "hand of 0"), ("Greenhouse 3", "slot 1 of 0")])
def test_aqualab_puts_the_card_under_the_deck(card: str, place: str) -> None:
    game = playing("Aqualab", ship=0)
    assert is_offered(game, "Aqualab")
    before = game.snapshot()
    play(game, "ACCEPT", f"CARD({card})")
    assert (game.to_play, game.decision) == (0, "FILL")
    first, second = cards(before["deck"])[:2]
    assert changes(before, game) == {
        card: f"{place} → deck",
        first: "deck → hand of 0",
        second: "deck → hand of 0",
    }
    assert cards(game.snapshot()["deck"])[-1] == card
    assert game.snapshot()["under"] == 1
    assert [card in cards(entry["knows"]) for entry in game.snapshot()["seats"]] == [True, False]


@pytest.mark.parametrize(("hand", "other"), [(["Comms 1"], None), ([], "Comms 1")])
def test_aqualab_puts_the_only_card_under_the_deck_unasked(hand: list[str], other: str | None) -> None:
    game = playing("Aqualab", hand=hand, prep=["Aqualab 7", other], ship=0)
    assert is_offered(game, "Aqualab")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "FILL")
    assert cards(game.snapshot()["deck"])[-1] == "Comms 1"


def test_aqualab_needs_a_card_in_hand_or_prep_module() -> None:
    assert not is_offered(playing("Aqualab", hand=[], prep=["Aqualab 7", None], ship=0), "Aqualab")


# --- Energy Bank, Comms Center, Habitation --------------------------------------------------------------


@pytest.mark.parametrize("energy", [0, 6])
def test_energy_bank_gains_1(energy: int) -> None:
    assert after_ability(playing("Energy Bank", energy=energy), "Energy Bank") == {"energy of 0": 1}


def test_energy_bank_needs_a_free_energy_space() -> None:
    assert not is_offered(playing("Energy Bank", energy=7), "Energy Bank")


@pytest.mark.parametrize("ship", [0, 6])
def test_comms_center_launches_1(ship: int) -> None:
    game = playing("Comms Center", ship=ship)
    assert after_ability(game, "Comms Center") == {"earth of 0": -1, "ship of 0": 1}


def test_comms_center_needs_somebody_on_earth() -> None:
    assert not is_offered(playing("Comms Center", ship=7), "Comms Center")


@pytest.mark.parametrize("chosen", ["Greenhouse", "Aqualab", "Energy Bank", "Comms Center"])
def test_habitation_settles_1_in_the_building_chosen(chosen: str) -> None:
    game = playing("Habitation", ship=1)
    assert after_ability(game, "Habitation", f"BUILDING({chosen})") == settled(chosen)


def test_habitation_offers_the_four_buildings_that_hold_colonists() -> None:
    game = playing("Habitation", ship=1)
    assert is_offered(game, "Habitation")
    play(game, "ACCEPT")
    assert (game.to_play, game.decision) == (0, "SETTLE_WHERE")
    assert choices(game) == [f"BUILDING({building})" for building in PLAYED if building != "Habitation"]


def test_habitation_needs_somebody_on_the_ship() -> None:
    assert not is_offered(playing("Habitation", ship=0), "Habitation")
