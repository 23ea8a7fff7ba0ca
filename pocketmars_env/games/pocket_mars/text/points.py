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
    da = int(seat.is_da)
    colonists = [low + high for low, high in zip(seat.star, seat.star2, strict=True)]
    parts = (
        (f"{seat.ship} on the Ship", POINTS_SHIP * seat.ship),
        (f"{sum(seat.star)} on ★", POINTS_STAR * sum(seat.star)),
        (f"{sum(seat.star2)} on ★★", POINTS_STAR2 * sum(seat.star2)),
        ("colonists in all four Buildings", POINTS_ALL_BUILDINGS[da] * all(colonists)),
        (
            f"{BONUS_BUILDING_COLONISTS} or more in one Building",
            POINTS_ONE_BUILDING[da] * (max(colonists) >= BONUS_BUILDING_COLONISTS),
        ),
        (
            "the highest energy",
            POINTS_ENERGY[da] * (seat.energy == max(other.energy for other in seat_view.seats)),
        ),
        ("the handicap", da * seat_view.handicap),
    )
    return tuple((words, points) for words, points in parts if points)
