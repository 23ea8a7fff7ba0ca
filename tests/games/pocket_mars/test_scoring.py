"""The points of each scoring rule, and the winners."""

from typing import Any

import pytest

from pocketmars_env import Game
from tests.builders import given, play, seat

RICH = seat(ship=0, energy=7)
"""A second seat whose only point is the one for the highest energy."""

# Colonists by Building: Greenhouse, Aqualab, Energy Bank, Comms Center.
PLACES: list[tuple[str, dict[str, Any], int]] = [
    ("all on Earth", {}, 0),
    ("on the Ship", {"ship": 3}, 3),
    ("on ★", {"star": [0, 1, 1, 0]}, 2 * 2),
    ("on ★★", {"star2": [0, 1, 1, 0]}, 2 * 4),
    ("everywhere on ★", {"star": [1, 1, 1, 1]}, 4 * 2 + 2),
    ("everywhere on ★ or ★★", {"star": [1, 0, 0, 1], "star2": [0, 1, 1, 0]}, 2 * 2 + 2 * 4 + 2),
    ("three Buildings only", {"star": [1, 1, 1, 0], "star2": [1, 1, 0, 0]}, 3 * 2 + 2 * 4),
    ("three in one Building", {"star": [0, 0, 3, 0]}, 3 * 2),
    ("four in one Building", {"star": [0, 0, 4, 0]}, 4 * 2 + 3),
    ("four in one Building, one of them on ★★", {"star": [3, 0, 0, 0], "star2": [1, 0, 0, 0]}, 3 * 2 + 4 + 3),
    ("seven in one Building", {"star": [0, 0, 0, 7]}, 7 * 2 + 3),
    ("both bonuses", {"star": [1, 4, 1, 1]}, 7 * 2 + 2 + 3),
    ("a bit of everything", {"ship": 2, "star": [0, 2, 0, 0], "star2": [1, 0, 0, 0]}, 2 + 2 * 2 + 4),
]


@pytest.mark.parametrize(("place", "points"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])
@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
def test_points_of_colonists(place: dict[str, Any], points: int, edition: str) -> None:
    game = given(seat(**{"ship": 0, **place}), RICH, edition=edition)
    assert game.scores == [points, 1]


@pytest.mark.parametrize("number", range(3))
def test_every_seat_is_scored_alike(number: int) -> None:
    seats = [seat(ship=0, energy=0) for _ in range(3)]
    seats[number] = seat(ship=1, energy=1, star=[1, 1, 1, 0], star2=[0, 0, 0, 2])
    expected = [0, 0, 0]
    expected[number] = 1 + 3 * 2 + 2 * 4 + 2 + 1
    assert given(*seats).scores == expected


@pytest.mark.parametrize(
    ("energy", "points"),
    [
        ([3, 2, 1, 0], [1, 0, 0, 0]),
        ([2, 5, 5, 4], [0, 1, 1, 0]),
        ([7, 7, 7, 7], [1, 1, 1, 1]),
        ([0, 0, 0, 0], [1, 1, 1, 1]),
    ],
)
def test_the_highest_energy_scores_for_each_of_those_tied(energy: list[int], points: list[int]) -> None:
    assert given(*[seat(ship=0, energy=level) for level in energy]).scores == points


# --- the winner -----------------------------------------------------------------------------------


def ended(*seats: dict[str, Any], edition: str = "grey_fox", **more: Any) -> Game:
    """Return a game that ends after the last seat has played a card without effect."""
    last = {**seats[-1], "hand": ["Habitation c", "Habitation d"]}
    game = given(*seats[:-1], last, active_seat=len(seats) - 1, edition=edition, **more)
    play(game, "PLAY_HAND(Habitation c)")  # there is nothing in the discard pile to take
    assert game.over
    return game


ALL_SETTLED = {"ship": 0, "star": [7, 0, 0, 0]}  # 17 points


def test_nobody_has_won_while_the_game_goes_on() -> None:
    assert given(seat(**ALL_SETTLED), seat()).winners == []


@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
def test_the_most_points_win_whoever_ended_the_game(edition: str) -> None:
    better = seat(ship=2, star=[1, 1, 0, 1], star2=[1, 0, 1, 0])  # 18 points, 5 in Buildings
    game = ended(seat(**ALL_SETTLED), better, edition=edition)
    assert (game.scores, game.winners) == ([18, 19], [1])


@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
def test_a_tie_of_others_behind_does_not_matter(edition: str) -> None:
    best = seat(ship=0, star=[4, 1, 1, 1])
    game = ended(seat(ship=1), best, seat(ship=1), edition=edition)
    assert game.winners == [1]


@pytest.mark.parametrize("edition", ["grey_fox", "board_and_dice"])
def test_a_full_tie_is_shared_by_the_tied_seats_only(edition: str) -> None:
    alike = seat(ship=0, star=[0, 3, 4, 0])
    game = ended(seat(**ALL_SETTLED), seat(ship=5), alike, edition=edition)
    assert (game.scores, game.winners) == ([18, 6, 18], [0, 2])


# --- solo -----------------------------------------------------------------------------------------

DA_PLACES: list[tuple[str, dict[str, Any], int]] = [
    ("on the Ship", {"ship": 3}, 3),
    ("on ★", {"star": [0, 1, 1, 0]}, 2 * 2),
    ("on ★★", {"star2": [0, 1, 1, 0]}, 2 * 4),
    ("everywhere", {"star": [1, 1, 1, 0], "star2": [0, 0, 0, 1]}, 3 * 2 + 4 + 4),
    ("four in one Building", {"star": [0, 3, 0, 0], "star2": [0, 1, 0, 0]}, 3 * 2 + 4 + 5),
    ("both bonuses", {"star": [1, 1, 4, 1]}, 7 * 2 + 4 + 5),
]


@pytest.mark.parametrize(
    ("place", "points"), [row[1:] for row in DA_PLACES], ids=[row[0] for row in DA_PLACES]
)
def test_points_of_the_das_colonists(place: dict[str, Any], points: int) -> None:
    game = given(seat(ship=0, energy=1), seat(**{"ship": 0, "energy": 0, **place}), mode="solo")
    assert game.scores == [1, points]


@pytest.mark.parametrize(("place", "points"), [row[1:] for row in PLACES], ids=[row[0] for row in PLACES])
def test_points_of_the_lone_players_colonists(place: dict[str, Any], points: int) -> None:
    game = given(seat(**{"ship": 0, "energy": 0, **place}), seat(ship=0, energy=1), mode="solo")
    assert game.scores == [points, 2]


@pytest.mark.parametrize(
    ("energy", "points"), [((3, 2), [1, 0]), ((2, 3), [0, 2]), ((4, 4), [1, 2]), ((0, 0), [1, 2])]
)
def test_the_das_highest_energy_scores_two_and_a_tie_scores_for_both(
    energy: tuple[int, int], points: list[int]
) -> None:
    game = given(seat(ship=0, energy=energy[0]), seat(ship=0, energy=energy[1]), mode="solo")
    assert game.scores == points
