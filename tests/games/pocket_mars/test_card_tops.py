"""The top actions that move colonists and energy, tested on every card that has them."""

from typing import Any

import pytest

from tests.builders import choices, decision_of, given, play, seat
from tests.changes import Changes, changes
from tests.games.pocket_mars.halves import (
    Table,
    after_top,
    begin_top,
    downgraded,
    each_card,
    gained,
    here,
    launched,
    one_in,
    settled,
    upgraded,
    with_top,
)

BUILDINGS = ["Greenhouse", "Aqualab", "Energy Bank", "Comms Center"]
LAUNCH_AND_GAIN = ["Comms 1", "Energy 1", "Aqualab 1", "Greenhouse 1"]
LAUNCH_IF_SHIP_EMPTY = ["Comms 3", "Energy 3", "Greenhouse 3"]
SETTLE_HERE = ["Comms 4", "Energy 4", "Aqualab 4", "Greenhouse 4"]
SETTLE_ANYWHERE = ["Greenhouse 6", "Greenhouse 7"]
GAIN_2 = ["Habitation a", "Habitation b"]
UPGRADE_HERE = ["Comms 5", "Energy 5", "Aqualab 5"]

TOPS: Table = [
    (LAUNCH_AND_GAIN, {"ship": 0, "energy": 3}, launched(1) | gained(1)),
    (LAUNCH_AND_GAIN, {"ship": 7, "energy": 0}, gained(1)),
    (LAUNCH_AND_GAIN, {"energy": 7}, launched(1)),
    (LAUNCH_AND_GAIN, {"ship": 7, "energy": 7}, {}),
    (LAUNCH_IF_SHIP_EMPTY, {"ship": 0}, launched(2)),
    (LAUNCH_IF_SHIP_EMPTY, {"ship": 1}, {}),
    (LAUNCH_IF_SHIP_EMPTY, {"ship": 0, "star": [2, 2, 1, 1]}, launched(1)),
    (LAUNCH_IF_SHIP_EMPTY, {"ship": 0, "star": [2, 2, 2, 1]}, {}),
    *(([card], {"ship": 2}, settled(here(card))) for card in SETTLE_HERE),
    (SETTLE_HERE, {"ship": 0}, {}),
    (SETTLE_ANYWHERE, {"ship": 0}, {}),
    (["Energy 6"], {"ship": 3, "energy": 2}, {}),
    (["Energy 6"], {"ship": 0, "energy": 7}, {}),
    (["Comms 5"], {"ship": 6, "star": [0, 0, 0, 1]}, upgraded("Comms Center")),
    (["Energy 5"], {"energy": 5}, gained(2)),
    (["Energy 5"], {"energy": 6}, gained(1)),
    (["Energy 5"], {"energy": 7, "star": [0, 0, 1, 0]}, upgraded("Energy Bank")),
    (["Comms 6"], {"energy": 2}, launched(1) | gained(2)),
    (["Comms 6"], {"ship": 7, "energy": 6}, gained(1)),
    (["Comms 6"], {"energy": 7}, launched(1)),
    (["Comms 7"], {"ship": 0}, launched(2)),
    (["Comms 7"], {"ship": 5}, launched(2)),
    (["Comms 7"], {"ship": 6}, launched(1)),
    (["Comms 7"], {"ship": 7}, {}),
    (GAIN_2, {"energy": 0}, gained(2)),
    (GAIN_2, {"energy": 5}, gained(2)),
    (GAIN_2, {"energy": 6}, gained(1)),
    (GAIN_2, {"energy": 7}, {}),
]


@pytest.mark.parametrize(("card", "mine", "expected"), each_card(TOPS))
def test_a_top_action_does_what_is_possible(card: str, mine: dict[str, Any], expected: Changes) -> None:
    game = given(with_top(card, **mine), seat(ship=3))
    assert after_top(game, card) == expected


# --- settling in a Building of choice ---------------------------------------------------------------


@pytest.mark.parametrize("building", BUILDINGS)
@pytest.mark.parametrize("card", SETTLE_ANYWHERE)
def test_settle_1_anywhere(card: str, building: str) -> None:
    game = given(with_top(card, ship=1), seat())
    before = begin_top(game, card)
    assert decision_of(game) == (0, "SETTLE_WHERE", [f"BUILDING({name})" for name in BUILDINGS])
    play(game, f"BUILDING({building})")
    found = changes(before, game)
    assert {name: found[name] for name in settled(building)} == settled(building)


# --- Energy 6: use 3: settle up to 2 here ---------------------------------------------------------


@pytest.mark.parametrize(
    ("ship", "answers", "number"),
    [(3, ["ACCEPT", "ACCEPT"], 2), (3, ["ACCEPT", "PASS"], 1), (3, ["PASS"], 0), (1, ["ACCEPT"], 1)],
)
def test_energy_6_settles_up_to_2_and_pays_once(ship: int, answers: list[str], number: int) -> None:
    game = given(with_top("Energy 6", ship=ship, energy=4), seat())
    paid = gained(-3)
    assert after_top(game, "Energy 6", *answers) == (
        paid | settled("Energy Bank", number) if number else paid
    )


def test_energy_6_asks_before_each_colonist() -> None:
    game = given(with_top("Energy 6", ship=3, energy=7), seat())
    before = begin_top(game, "Energy 6")
    assert decision_of(game) == (0, "SETTLE_MORE", ["PASS", "ACCEPT"])
    assert changes(before, game) == {"Energy 6": "hand of 0 → in play"} | gained(-3)
    play(game, "ACCEPT")
    assert decision_of(game) == (0, "SETTLE_MORE", ["PASS", "ACCEPT"])


# --- the 5s: upgrade 1 of yours here, and … -------------------------------------------------------

SECOND_HALF: dict[str, Changes] = {"Comms 5": launched(1), "Energy 5": gained(2), "Aqualab 5": {}}
ANSWERS = {"Comms 5": [], "Energy 5": [], "Aqualab 5": ["PASS"]}


@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_upgrade_1_here_and_the_second_half(card: str) -> None:
    game = given(with_top(card, star=one_in(here(card), here(card))), seat(star=one_in(here(card))))
    assert after_top(game, card, *ANSWERS[card]) == upgraded(here(card)) | SECOND_HALF[card]


@pytest.mark.parametrize("card", UPGRADE_HERE)
def test_the_second_half_is_done_without_a_colonist_of_yours_on_star_here(card: str) -> None:
    elsewhere = [1 - count for count in one_in(here(card))]
    game = given(
        with_top(card, star=elsewhere, star2=one_in(here(card))), seat(star=one_in(here(card))), seat()
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
    others = [seat() for _ in range(players - 2)]
    one_free = after_top(given(mine, taken, *others), card, *ANSWERS[card])
    assert one_free == upgraded(here(card)) | SECOND_HALF[card]
    full = given(mine, taken, *others[1:], seat(star2=one_in(here(card))))
    assert after_top(full, card, *ANSWERS[card]) == SECOND_HALF[card]


# --- Greenhouse 5: swap a colonist on ★ with one on ★★ --------------------------------------------


def test_greenhouse_5_swaps_without_asking_when_one_swap_is_possible() -> None:
    game = given(
        with_top("Greenhouse 5", star=one_in("Aqualab", "Greenhouse")),
        seat(star2=one_in("Aqualab", "Comms Center")),
    )
    assert after_top(game, "Greenhouse 5") == upgraded("Aqualab") | downgraded("Aqualab", 1)


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
    found = after_top(game, "Greenhouse 5", "SWAP(Energy Bank, ★ seat +1, ★★ seat +2)")
    assert found == upgraded("Energy Bank", 1) | downgraded("Energy Bank", 2)


def test_greenhouse_5_does_not_swap_two_colonists_of_one_player() -> None:
    game = given(
        with_top("Greenhouse 5", star=[1, 0, 0, 0], star2=[1, 0, 0, 0]),
        seat(star=[0, 1, 1, 0], star2=[0, 1, 0, 0]),
    )
    assert after_top(game, "Greenhouse 5") == {}
