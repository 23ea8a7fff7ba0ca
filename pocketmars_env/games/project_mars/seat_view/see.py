"""Makes a `SeatView` from a snapshot by hiding what the viewpoint does not know."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pocketmars_env.games.project_mars.rules.constants import SEATS
from pocketmars_env.games.project_mars.seat_view.seat_view import Card, PlacedCard, SeatView, SideView
from pocketmars_env.games.project_mars.snapshots.notation import Snapshot


def see(snapshot: Snapshot, viewpoint: int | None) -> SeatView:
    """Return the seat view of a position.

    Args:
        snapshot: the snapshot of the true position, or of another position in the viewpoint's information
            set.
        viewpoint: the seat whose knowledge is shown, or None to show the hidden cards of both seats.

    Raises:
        ValueError: if `viewpoint` is neither None nor an ``int`` in 0..1; ``True`` and NumPy integers are
            rejected.

    """
    if viewpoint is not None and (type(viewpoint) is not int or viewpoint not in range(SEATS)):
        raise ValueError(f"viewpoint must be None or a seat in 0..{SEATS - 1}, got {viewpoint!r}")
    effect = snapshot["effect"]
    return SeatView(
        viewpoint=viewpoint,
        mode=snapshot["mode"],
        round=snapshot["round"],
        to_play=snapshot["asked_seat"],
        decision=snapshot["decision"],
        turn_seat=snapshot["turn_seat"],
        has_gas=snapshot["gas"],
        results=tuple(map(tuple, snapshot["results"])),
        lanes=tuple(snapshot["lanes"]),
        left=snapshot["left"],
        effect=None if effect is None else (effect["card"], effect["seat"], effect["slot"]),
        sides=(side_of(snapshot, 0, viewpoint), side_of(snapshot, 1, viewpoint)),
    )


def side_of(snapshot: Snapshot, seat: int, viewpoint: int | None) -> SideView:
    """Return the `SideView` of a seat, as seen from the viewpoint."""
    side, is_known = snapshot["seats"][seat], viewpoint in (None, seat)
    return SideView(
        seat=seat,
        name=seat_name(seat),
        field=tuple(placed_card(placed) for placed in side["field"]),
        hand=known_cards(side["hand"], side["revealed"], is_known),
        revealed=tuple(side["revealed"]),
        back_hand=known_cards(side["back_hand"], side["back_revealed"], is_known),
        aside=known_cards(side["aside"], (), is_known),
        deck_size=len(side["deck"]),
        junkyard=tuple(side["junkyard"]),
        decklist=tuple(side["decklist"]),
        utility=side["utility"],
        has_used_utility=side["utility_used"],
        has_passed=side["passed"],
        wins=side["wins"],
        tpr=side["tpr"],
    )


def seat_name(seat: int) -> str:
    """Return the name of a seat, which is also the name of its PettingZoo agent."""
    return f"player_{seat}"


def known_cards(cards: Sequence[int], revealed: Sequence[int], is_known: bool) -> tuple[Card, ...]:
    """Return a zone's cards if they are known, or else the revealed cards and None for each hidden card."""
    if is_known:
        return tuple(cards)
    return (*sorted(Counter(revealed).elements()), *[None] * (len(cards) - len(revealed)))


def placed_card(placed: dict[str, Any] | None) -> PlacedCard | None:
    """Return the card in a slot of a snapshot, or None if the slot is empty."""
    if placed is None:
        return None
    return PlacedCard(
        placed["card"],
        placed["seat"],
        placed["pwr"],
        placed["bonus"],
        placed["zeroed"],
        placed["disabled"],
        placed["works"],
    )
