"""Each seat's points, broken down by source."""

from pocketmars_env.core.presentation.interface import SeatPoints
from pocketmars_env.games.pocket_mars.rules.constants import BONUS_BUILDING_COLONISTS
from pocketmars_env.games.pocket_mars.rules.scoring import (
    POINTS_ALL_BUILDINGS,
    POINTS_ENERGY,
    POINTS_ONE_BUILDING,
    POINTS_SHIP,
    POINTS_STAR,
    POINTS_STAR2,
)
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenSeat

SOURCES = (
    ("{} on the Ship", POINTS_SHIP, POINTS_SHIP),
    ("{} on ★", POINTS_STAR, POINTS_STAR),
    ("{} on ★★", POINTS_STAR2, POINTS_STAR2),
    ("colonists in all four Buildings", *POINTS_ALL_BUILDINGS),
    (f"{BONUS_BUILDING_COLONISTS} or more in one Building", *POINTS_ONE_BUILDING),
    ("the highest energy", *POINTS_ENERGY),
    ("the handicap", 0, 1),
)
"""The sources of points: words, where ``{}`` is a number, and the points for a player and for the DA."""


def points_of(seat_view: SeatView) -> tuple[SeatPoints, ...]:
    """Return the points of every seat, which are public."""
    return tuple(
        SeatPoints(
            seat.name,
            seat.score,
            parts_of(seat_view, seat),
            seat_view.over and seat.number in seat_view.winners,
        )
        for seat in seat_view.seats
    )


def parts_of(seat_view: SeatView, seat: SeenSeat) -> tuple[tuple[str, int], ...]:
    colonists = [low + high for low, high in zip(seat.star, seat.star2, strict=True)]
    numbers = (
        seat.ship,
        sum(seat.star),
        sum(seat.star2),
        int(all(colonists)),
        int(max(colonists) >= BONUS_BUILDING_COLONISTS),
        int(seat.energy == max(other.energy for other in seat_view.seats)),
        seat_view.handicap,
    )
    rows = zip(SOURCES, numbers, strict=True)
    parts = ((words.format(number), points[seat.is_da] * number) for (words, *points), number in rows)
    return tuple((words, points) for words, points in parts if points)
