"""The top actions that move colonists and energy, one test per text, for every card that bears it."""

import pytest

from tests.builders import choices, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_top, here, one_in, with_top

LAUNCH_AND_GAIN = ["Comms 1", "Energy 1", "Aqualab 1", "Greenhouse 1"]
LAUNCH_IF_SHIP_EMPTY = ["Comms 3", "Energy 3", "Greenhouse 3"]
SETTLE_HERE = ["Comms 4", "Energy 4", "Aqualab 4", "Greenhouse 4"]
SETTLE_ANYWHERE = ["Greenhouse 6", "Greenhouse 7"]
GAIN_2 = ["Habitation a", "Habitation b"]
UPGRADE_HERE = ["Comms 5", "Energy 5", "Aqualab 5"]

# --- launch 1, gain 1 -----------------------------------------------------------------------------


@pytest.mark.parametrize("card", LAUNCH_AND_GAIN)
def test_launch_1_gain_1(card: str) -> None:
    game = given(with_top(card, ship=0, energy=3), seat())
    assert after_top(game, card) == {"earth of 0": -1, "ship of 0": 1, "energy of 0": 1}


@pytest.mark.parametrize("card", LAUNCH_AND_GAIN)
def test_launch_1_gain_1_does_what_is_possible(card: str) -> None:
    nobody_on_earth = given(with_top(card, ship=7, energy=0), seat())
    assert after_top(nobody_on_earth, card) == {"energy of 0": 1}
    full_of_energy = given(with_top(card, energy=7), seat())
    assert after_top(full_of_energy, card) == {"earth of 0": -1, "ship of 0": 1}
    neither = given(with_top(card, ship=7, energy=7), seat())
    assert after_top(neither, card) == {}


# --- if your Ship is empty: launch 2 --------------------------------------------------------------


@pytest.mark.parametrize("card", LAUNCH_IF_SHIP_EMPTY)
def test_launch_2_from_an_empty_ship(card: str) -> None:
    game = given(with_top(card, ship=0), seat(ship=3))
    assert after_top(game, card) == {"earth of 0": -2, "ship of 0": 2}


@pytest.mark.parametrize("card", LAUNCH_IF_SHIP_EMPTY)
def test_no_launch_with_somebody_on_the_ship(card: str) -> None:
    game = given(with_top(card, ship=1), seat(ship=0))
    assert after_top(game, card) == {}


@pytest.mark.parametrize("card", LAUNCH_IF_SHIP_EMPTY)
def test_launch_2_from_an_empty_ship_does_what_is_possible(card: str) -> None:
    one_on_earth = given(with_top(card, ship=0, star=[2, 2, 1, 1]), seat())
    assert after_top(one_on_earth, card) == {"earth of 0": -1, "ship of 0": 1}
    nobody_on_earth = given(with_top(card, ship=0, star=[2, 2, 2, 1]), seat())
    assert after_top(nobody_on_earth, card) == {}


# --- settling -------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", SETTLE_HERE)
def test_settle_1_here(card: str) -> None:
    game = given(with_top(card, ship=2), seat())
    assert after_top(game, card) == {"ship of 0": -1, f"★ {here(card)} of 0": 1}


@pytest.mark.parametrize("card", SETTLE_HERE)
def test_nobody_settles_from_an_empty_ship(card: str) -> None:
    game = given(with_top(card, ship=0), seat())
    assert after_top(game, card) == {}


@pytest.mark.parametrize("building", ["Greenhouse", "Aqualab", "Energy Bank", "Comms Center"])
@pytest.mark.parametrize("card", SETTLE_ANYWHERE)
def test_settle_1_anywhere(card: str, building: str) -> None:
    game = given(with_top(card, ship=1), seat())
    assert after_top(game, card, f"BUILDING({building})") == {"ship of 0": -1, f"★ {building} of 0": 1}


@pytest.mark.parametrize("card", SETTLE_ANYWHERE)
def test_settle_anywhere_offers_the_four_buildings_that_hold_colonists(card: str) -> None:
    game = play(given(with_top(card), seat()), f"PLAY_HAND({card})")
    assert (game.to_play, game.decision) == (0, "SETTLE_WHERE")
    assert choices(game) == [
        "BUILDING(Greenhouse)",
        "BUILDING(Aqualab)",
        "BUILDING(Energy Bank)",
        "BUILDING(Comms Center)",
    ]


@pytest.mark.parametrize("card", SETTLE_ANYWHERE)
def test_settle_anywhere_asks_nothing_when_the_ship_is_empty(card: str) -> None:
    game = given(with_top(card, ship=0), seat())
    assert after_top(game, card) == {}


# --- Energy 6: use 3: settle up to 2 here ---------------------------------------------------------


def test_energy_6_settles_two() -> None:
    game = given(with_top("Energy 6", ship=3, energy=4), seat())
    assert after_top(game, "Energy 6", "ACCEPT", "ACCEPT") == {
        "energy of 0": -3,
        "ship of 0": -2,
        "★ Energy Bank of 0": 2,
    }


def test_energy_6_asks_before_each_colonist_and_pays_once() -> None:
    game = given(with_top("Energy 6", ship=3, energy=7), seat())
    before = game.snapshot()
    play(game, "PLAY_HAND(Energy 6)")
    assert (game.to_play, game.decision, choices(game)) == (0, "SETTLE_MORE", ["PASS", "ACCEPT"])
    assert changes(before, game) == {"Energy 6": "hand of 0 → in play", "energy of 0": -3}
    play(game, "ACCEPT")
    assert (game.to_play, game.decision, choices(game)) == (0, "SETTLE_MORE", ["PASS", "ACCEPT"])


def test_energy_6_may_stop_after_one() -> None:
    game = given(with_top("Energy 6", ship=3, energy=3), seat())
    assert after_top(game, "Energy 6", "ACCEPT", "PASS") == {
        "energy of 0": -3,
        "ship of 0": -1,
        "★ Energy Bank of 0": 1,
    }


def test_energy_6_may_settle_nobody_but_is_paid_for() -> None:
    game = given(with_top("Energy 6", ship=3, energy=3), seat())
    assert after_top(game, "Energy 6", "PASS") == {"energy of 0": -3}


def test_energy_6_asks_once_with_one_on_the_ship() -> None:
    game = given(with_top("Energy 6", ship=1, energy=3), seat())
    assert after_top(game, "Energy 6", "ACCEPT") == {
        "energy of 0": -3,
        "ship of 0": -1,
        "★ Energy Bank of 0": 1,
    }


def test_energy_6_is_not_paid_for_in_part_or_for_nothing() -> None:
    too_little_energy = given(with_top("Energy 6", ship=3, energy=2), seat())
    assert after_top(too_little_energy, "Energy 6") == {}
    nobody_to_settle = given(with_top("Energy 6", ship=0, energy=7), seat())
    assert after_top(nobody_to_settle, "Energy 6") == {}


# --- the 5s: upgrade 1 of yours here, and … -------------------------------------------------------

SECOND_HALF: dict[str, dict[str, str | int]] = {
    "Comms 5": {"earth of 0": -1, "ship of 0": 1},
    "Energy 5": {"energy of 0": 2},
    "Aqualab 5": {},
}
ANSWERS = {"Comms 5": [], "Energy 5": [], "Aqualab 5": ["PASS"]}


@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_upgrade_1_here_and_the_second_half(card: str) -> None:
    game = given(with_top(card, star=one_in(here(card), here(card))), seat(star=one_in(here(card))))
    upgrade = {f"★ {here(card)} of 0": -1, f"★★ {here(card)} of 0": 1}
    assert after_top(game, card, *ANSWERS[card]) == {**upgrade, **SECOND_HALF[card]}


@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_the_second_half_is_done_without_a_colonist_of_yours_on_star_here(card: str) -> None:
    elsewhere = [1 - count for count in one_in(here(card))]
    game = given(
        with_top(card, star=elsewhere, star2=one_in(here(card))),
        seat(star=one_in(here(card))),
        seat(),
    )
    assert after_top(game, card, *ANSWERS[card]) == SECOND_HALF[card]


@pytest.mark.parametrize("taken_by", [0, 1])
@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_with_two_players_one_colonist_fills_star2(card: str, taken_by: int) -> None:
    places = [[0] * 4, [0] * 4]
    places[taken_by] = one_in(here(card))
    game = given(with_top(card, star=one_in(here(card)), star2=places[0]), seat(star2=places[1]))
    assert after_top(game, card, *ANSWERS[card]) == SECOND_HALF[card]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_with_three_or_four_players_two_colonists_fill_star2(card: str, players: int) -> None:
    mine, taken = with_top(card, star=one_in(here(card))), seat(star2=one_in(here(card)))
    upgrade = {f"★ {here(card)} of 0": -1, f"★★ {here(card)} of 0": 1}
    others = [seat() for _ in range(players - 2)]
    assert after_top(given(mine, taken, *others), card, *ANSWERS[card]) == {**upgrade, **SECOND_HALF[card]}
    full = given(mine, taken, *others[1:], seat(star2=one_in(here(card))))
    assert after_top(full, card, *ANSWERS[card]) == SECOND_HALF[card]


def test_comms_5_upgrades_without_anybody_on_earth() -> None:
    game = given(with_top("Comms 5", ship=6, star=one_in("Comms Center")), seat())
    assert after_top(game, "Comms 5") == {"★ Comms Center of 0": -1, "★★ Comms Center of 0": 1}


@pytest.mark.parametrize(("energy", "gained"), [(5, 2), (6, 1)])
def test_energy_5_gains_up_to_7(energy: int, gained: int) -> None:
    game = given(with_top("Energy 5", energy=energy), seat())
    assert after_top(game, "Energy 5") == {"energy of 0": gained}


def test_energy_5_upgrades_with_a_full_energy_track() -> None:
    game = given(with_top("Energy 5", energy=7, star=one_in("Energy Bank")), seat())
    assert after_top(game, "Energy 5") == {"★ Energy Bank of 0": -1, "★★ Energy Bank of 0": 1}


# --- Greenhouse 5: swap a colonist on ★ with one on ★★ --------------------------------------------


def test_greenhouse_5_swaps_without_asking_when_one_swap_is_possible() -> None:
    game = given(
        with_top("Greenhouse 5", star=one_in("Aqualab", "Greenhouse")),
        seat(star2=one_in("Aqualab", "Comms Center")),
    )
    assert after_top(game, "Greenhouse 5") == {
        "★ Aqualab of 0": -1,
        "★★ Aqualab of 0": 1,
        "★ Aqualab of 1": 1,
        "★★ Aqualab of 1": -1,
    }


def test_greenhouse_5_offers_every_pair_of_different_players() -> None:
    game = given(
        with_top("Greenhouse 5", star=[1, 0, 0, 0], star2=[0, 0, 0, 1]),
        seat(star=[0, 0, 0, 1], star2=[1, 0, 0, 0]),
        seat(star=[0, 0, 1, 1], star2=[1, 0, 0, 0]),
    )
    play(game, "PLAY_HAND(Greenhouse 5)")
    assert (game.to_play, game.decision) == (0, "SWAP")
    assert choices(game) == [
        "SWAP(Greenhouse, ★ self, ★★ seat +1)",
        "SWAP(Greenhouse, ★ self, ★★ seat +2)",
        "SWAP(Comms Center, ★ seat +1, ★★ self)",
        "SWAP(Comms Center, ★ seat +2, ★★ self)",
    ]


def test_greenhouse_5_swaps_two_colonists_of_others() -> None:
    game = given(
        with_top("Greenhouse 5", star=[1, 0, 0, 0]),
        seat(star=[0, 0, 1, 0], star2=[1, 0, 0, 0]),
        seat(star2=[0, 0, 1, 0]),
    )
    assert after_top(game, "Greenhouse 5", "SWAP(Energy Bank, ★ seat +1, ★★ seat +2)") == {
        "★ Energy Bank of 1": -1,
        "★★ Energy Bank of 1": 1,
        "★ Energy Bank of 2": 1,
        "★★ Energy Bank of 2": -1,
    }


def test_greenhouse_5_does_not_swap_two_colonists_of_one_player() -> None:
    game = given(
        with_top("Greenhouse 5", star=[1, 0, 0, 0], star2=[1, 0, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 1, 0, 0]),
    )
    assert after_top(game, "Greenhouse 5") == {}


# --- launch 2; launch 1, gain 2; gain 2 -----------------------------------------------------------


def test_comms_6_launches_1_and_gains_2() -> None:
    game = given(with_top("Comms 6", energy=2), seat())
    assert after_top(game, "Comms 6") == {"earth of 0": -1, "ship of 0": 1, "energy of 0": 2}


def test_comms_6_does_what_is_possible() -> None:
    nobody_on_earth = given(with_top("Comms 6", ship=7, energy=6), seat())
    assert after_top(nobody_on_earth, "Comms 6") == {"energy of 0": 1}
    full_of_energy = given(with_top("Comms 6", energy=7), seat())
    assert after_top(full_of_energy, "Comms 6") == {"earth of 0": -1, "ship of 0": 1}


@pytest.mark.parametrize(("ship", "launched"), [(0, 2), (5, 2), (6, 1)])
def test_comms_7_launches_2(ship: int, launched: int) -> None:
    game = given(with_top("Comms 7", ship=ship), seat())
    assert after_top(game, "Comms 7") == {"earth of 0": -launched, "ship of 0": launched}


def test_comms_7_launches_nobody_from_an_empty_earth() -> None:
    game = given(with_top("Comms 7", ship=7), seat())
    assert after_top(game, "Comms 7") == {}


@pytest.mark.parametrize(("energy", "gained"), [(0, 2), (5, 2), (6, 1)])
@pytest.mark.parametrize("card", GAIN_2)
def test_gain_2(card: str, energy: int, gained: int) -> None:
    game = given(with_top(card, energy=energy), seat())
    assert after_top(game, card) == {"energy of 0": gained}


@pytest.mark.parametrize("card", GAIN_2)
def test_gain_2_with_a_full_energy_track(card: str) -> None:
    game = given(with_top(card, energy=7), seat())
    assert after_top(game, card) == {}
