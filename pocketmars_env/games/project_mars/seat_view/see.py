"""Makes a `SeatView` from a position by hiding what the viewpoint does not know."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.presentation.interface import check_viewpoint
from pocketmars_env.games.project_mars.rules.constants import SEATS
from pocketmars_env.games.project_mars.seat_view.seat_view import Card, PlacedCard, SeatView, SideView
from pocketmars_env.games.project_mars.snapshots.notation import Snapshot, snapshot


def see(states: States, viewpoint: int | None) -> SeatView:
    """Return the seat view of a position, the true one or one from the viewpoint's information set.

    For viewpoint None, all cards outside the decks are shown.
    """
    check_viewpoint(viewpoint, SEATS)
    data = snapshot(states)
    effect = data["effect"]
    return SeatView(
        viewpoint=viewpoint,
        mode=data["mode"],
        round=data["round"],
        over=data["over"],
        to_play=data["asked_seat"],
        decision=data["decision"],
        turn_seat=data["turn_seat"],
        has_gas=data["gas"],
        results=tuple(map(tuple, data["results"])),
        lanes=tuple(data["lanes"]),
        left=data["left"],
        effect=None if effect is None else (effect["card"], effect["seat"], effect["slot"]),
        sides=(side_of(data, 0, viewpoint), side_of(data, 1, viewpoint)),
    )


def side_of(data: Snapshot, seat: int, viewpoint: int | None) -> SideView:
    """Return the `SideView` of a seat, as seen from the viewpoint."""
    side, is_known = data["seats"][seat], viewpoint in (None, seat)
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
    keys = ("card", "seat", "pwr", "bonus", "zeroed", "disabled", "works")  # in the order of the fields
    return None if placed is None else PlacedCard(*(placed[key] for key in keys))
