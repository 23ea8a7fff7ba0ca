"""Creates seat views from snapshots, and hides the cards that the viewpoint does not know."""

from collections.abc import Iterable

import numpy as np

from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.games.pocket_mars.config import GameConfig, seat_name
from pocketmars_env.games.pocket_mars.rules.cards import CARDS, FIRST_ABILITY, FIRST_BOTTOM, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, DA_SEAT, MAX_SEATS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeatView, SeenCard, SeenSeat, suit_of
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot, blank_states, cards_in
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import (
    SETUP,
    check_resume_state,
    check_snapshot,
)
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_env.games.pocket_mars.text.card_text import program_text

ResumeState = dict[str, int]


def see(
    snapshot: Snapshot, viewpoint: int | None = None, resume_state: ResumeState | None = None
) -> SeatView:
    """Returns the seat view of a snapshot.

    Args:
        snapshot: a result of `Game.snapshot`.
        viewpoint: the seat whose knowledge is shown; None shows all cards outside the deck.
        resume_state: the resume state of the same position, with information that the snapshot lacks, such as
            the card being resolved; `SeatView` describes the fields that depend on it.

    Raises:
        ValueError: if an argument is invalid; the message describes the problem.

    """
    check_snapshot(snapshot)
    check_viewpoint(snapshot, viewpoint)
    if resume_state is not None:
        check_resume_state(resume_state)
    marks = resume_state or {}
    known = set(range(NUM_CARDS)) if viewpoint is None else set(snapshot["seats"][viewpoint]["knows"])
    focus = snapshot["asked_seat"] if viewpoint is None else viewpoint
    focus = snapshot["active_seat"] if focus is None else focus
    drawn = set(cards_in(marks.get("drawn", 0)))
    return SeatView(
        viewpoint=viewpoint,
        focus=focus,
        **{key: snapshot[key] for key in PUBLIC_KEYS},
        to_play=snapshot["asked_seat"],
        starting_seat=None if snapshot["decision"] in SETUP else snapshot["starting_seat"],
        handicap=snapshot.get("handicap", 0),
        deck=len(snapshot["deck"]),
        deck_top=suit_of(snapshot["deck"][0]) if snapshot["deck"] else None,
        under=tuple(
            seen_card(card, known, False)
            for card in snapshot["deck"][len(snapshot["deck"]) - snapshot["under"] :]
        ),
        discard=tuple(SeenCard(suit_of(card), card, True) for card in snapshot["discard"]),
        in_play=tuple(SeenCard(suit_of(card), card, True) for card in snapshot["in_play"]),
        piles=tuple(
            tuple(seen_card(card, known, is_open) for card, is_open in pile) for pile in snapshot["piles"]
        ),
        seats=tuple(
            seen_seat(snapshot, number, viewpoint, known, number == focus, drawn)
            for number in range(len(snapshot["seats"]))
        ),
        drawn=seen_set(drawn, known, snapshot["asked_seat"] == focus),
        played=card_or_none(marks.get("played", -1)),
        picked=card_or_none(marks.get("picked", -1)) if viewpoint in (None, snapshot["asked_seat"]) else None,
        resolving=resolving_text(marks.get("program", -1), marks.get("played", -1)),
        is_truncated=bool(marks.get("truncated", 0)),
        winners=winners_of(snapshot) if snapshot["over"] else (),
    )


PUBLIC_KEYS = (
    "players", "mode", "edition", "level", "round", "active_seat", "decision", "over",
)  # fmt: skip


def check_viewpoint(snapshot: Snapshot, viewpoint: object) -> None:
    seats = len(snapshot["seats"])
    if viewpoint is not None and (type(viewpoint) is not int or not 0 <= viewpoint < seats):
        raise ValueError(f"viewpoint must be None or a seat in 0..{seats - 1}, got {viewpoint!r}")
    for number, seat in enumerate(snapshot["seats"]):
        if type(seat.get("score")) is not int:
            raise ValueError(f"bad snapshot: score of seat {number} must be an integer")


def seen_seat(
    snapshot: Snapshot, number: int, viewpoint: int | None, known: set[int], is_focus: bool, drawn: set[int]
) -> SeenSeat:
    """Returns a seat as seen from the viewpoint; pending choices are hidden from other seats."""
    entry = snapshot["seats"][number]
    pending = entry.get("pending", []) if viewpoint in (None, number) else []
    moved = drawn | set(pending)
    is_da = snapshot["mode"] == "solo" and number == DA_SEAT
    return SeenSeat(
        number=number,
        name=seat_name(snapshot["mode"], number),
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
    """Returns cards as seen by a viewpoint that knows the cards in `known`.

    The result is sorted by suit; within a suit, known cards come first.
    """
    seen = [seen_card(card, known, is_open) for card in cards]
    return tuple(sorted(seen, key=lambda card: (card.suit, NUM_CARDS if card.card is None else card.card)))


def card_or_none(card: int) -> int | None:
    """Returns `card`, or None for -1."""
    return None if card < 0 else card


def resolving_text(program: int, played: int) -> str:
    """Returns text about the effect being resolved, such as "Energy 4, bottom: use 2 energy: launch 2".

    If no effect is being resolved (`program` is -1), the text names the card played from a prep module; it is
    empty if there is no such card.
    """
    if program < 0:
        return f"{CARDS[played].name} was played from a prep module" if played >= 0 else ""
    if program >= FIRST_ABILITY:
        title = f"{BUILDING_NAMES[program - FIRST_ABILITY]}'s ability"
    else:
        title = f"{CARDS[program % NUM_CARDS].name}, {'top' if program < FIRST_BOTTOM else 'bottom'}"
    return f"{title}: {program_text(program)}"


def winners_of(snapshot: Snapshot) -> tuple[int, ...]:
    """Returns the seats that would win if the game ended now, as computed by the engine."""
    ensure_compiled(SPEC)
    settings = {key: snapshot[key] for key in ("players", "mode", "level", "edition")}
    states = blank_states(1, GameConfig(**settings, handicap=snapshot.get("handicap", 0)))
    for number, entry in enumerate(snapshot["seats"]):
        for field in ("earth", "ship", "energy", "star", "star2"):
            states["seats"][field][0, number] = entry[field]
    winners = SPEC.batch.scores_at(states, 0, np.empty(MAX_SEATS, dtype=np.int64))
    return tuple(cards_in(int(winners)))
