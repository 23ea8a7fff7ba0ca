"""Creates seat views from positions, and hides the cards that the viewpoint does not know."""

from collections.abc import Iterable

import numpy as np

from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.position_codec import or_none
from pocketmars_env.core.presentation.interface import check_viewpoint
from pocketmars_env.games.pocket_mars.config import seat_name
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, DA_SEAT, MAX_SEATS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenCard, SeenSeat, suit_of
from pocketmars_env.games.pocket_mars.snapshots.invariants import SETUP
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot, resume_state, snapshot
from pocketmars_env.games.pocket_mars.text.card_text import program_text


def see(states: States, viewpoint: int | None) -> SeatView:
    """Return the seat view of a position, the true one or one from the viewpoint's information set.

    For viewpoint None, all cards outside the decks are shown.
    """
    data, marks = snapshot(states), resume_state(states)
    check_viewpoint(viewpoint, len(data["seats"]))
    known = set(range(NUM_CARDS)) if viewpoint is None else set(data["seats"][viewpoint]["knows"])
    focus = data["asked_seat"] if viewpoint is None else viewpoint
    focus = data["active_seat"] if focus is None else focus
    drawn = set(members(marks["drawn"]))
    scores = np.empty(MAX_SEATS, dtype=np.int64)
    winners = members(int(batch.scores_at(states, 0, scores))) if data["over"] else []
    return SeatView(
        viewpoint=viewpoint,
        focus=focus,
        **{key: data[key] for key in PUBLIC_KEYS},
        to_play=data["asked_seat"],
        starting_seat=None if data["decision"] in SETUP else data["starting_seat"],
        handicap=data.get("handicap", 0),
        deck=len(data["deck"]),
        shuffles=marks["shuffles"],
        deck_top=suit_of(data["deck"][0]) if data["deck"] else None,
        under=tuple(
            seen_card(card, known, False) for card in data["deck"][len(data["deck"]) - data["under"] :]
        ),
        discard=tuple(SeenCard(suit_of(card), card, True) for card in data["discard"]),
        in_play=tuple(SeenCard(suit_of(card), card, True) for card in data["in_play"]),
        piles=tuple(
            tuple(seen_card(card, known, is_open) for card, is_open in pile) for pile in data["piles"]
        ),
        seats=tuple(
            seen_seat(data, number, viewpoint, known, number == focus, drawn)
            for number in range(len(data["seats"]))
        ),
        drawn=seen_set(drawn, known, data["asked_seat"] == focus),
        played=or_none(marks["played"]),
        picked=or_none(marks["picked"]) if viewpoint in (None, data["asked_seat"]) else None,
        resolving=resolving_text(marks["program"], marks["played"]),
        is_truncated=bool(marks["truncated"]),
        winners=tuple(winners),
    )


PUBLIC_KEYS = (
    "players", "mode", "edition", "level", "round", "active_seat", "decision", "over",
)  # fmt: skip


def seen_seat(
    data: Snapshot, number: int, viewpoint: int | None, known: set[int], is_focus: bool, drawn: set[int]
) -> SeenSeat:
    """Return a seat as seen from the viewpoint; pending choices are hidden from other seats."""
    entry = data["seats"][number]
    pending = entry.get("pending", []) if viewpoint in (None, number) else []
    moved = drawn | set(pending)
    is_da = data["mode"] == "solo" and number == DA_SEAT
    return SeenSeat(
        number=number,
        name=seat_name(data["mode"], number),
        is_da=is_da,
        hand=seen_set(set(entry["hand"]) - moved, known, is_focus),
        packet=seen_set(set(entry.get("packet", [])) - moved, known, is_focus),
        pending=tuple(seen_card(card, known, is_focus) for card in pending),
        prep=tuple(None if card is None else seen_card(card, known, False) for card in entry["prep"]),
        **{key: entry[key] for key in ("earth", "ship", "energy", "score")},
        star=tuple(entry["star"]),
        star2=tuple(entry["star2"]),
    )


def seen_card(card: int, known: set[int], is_open: bool) -> SeenCard:
    is_known = card in known
    return SeenCard(suit_of(card), card if is_known else None, is_open and is_known)


def seen_set(cards: Iterable[int], known: set[int], is_open: bool) -> tuple[SeenCard, ...]:
    """Return cards as seen by a viewpoint, sorted by suit; within a suit, known cards come first."""
    seen_cards = [seen_card(card, known, is_open) for card in cards]
    return tuple(
        sorted(seen_cards, key=lambda card: (card.suit, NUM_CARDS if card.card is None else card.card))
    )


def resolving_text(program: int, played: int) -> str:
    """Return the effect being resolved, or else the card played from a prep module, as text; may be empty."""
    if program < 0:
        return f"{CARDS[played].name} was played from a prep module" if played >= 0 else ""
    if program >= FIRST_ABILITY:
        title = f"{BUILDING_NAMES[program - FIRST_ABILITY]}'s ability"
    else:
        title = f"{CARDS[program % NUM_CARDS].name}, {'top' if program < FIRST_BOTTOM else 'bottom'}"
    return f"{title}: {program_text(program)}"
