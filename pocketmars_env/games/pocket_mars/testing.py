"""Invariant checks for Pocket Mars; `pocketmars_env.core.testing` has the checks that apply to every game.

If a check fails, it raises an AssertionError that names the broken invariant and the position. Checks do not
change the game.

Examples:
    >>> game = play_random_game(seed=1, check=check_invariants, players=3)
    >>> game.over
    True

"""

import json
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pocketmars_env.core import testing
from pocketmars_env.core.compiled.card_sets import members
from pocketmars_env.core.position_codec import or_none
from pocketmars_env.core.testing import check_clone, check_no_leak, ensure
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.game import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.snapshots import invariants
from pocketmars_env.games.pocket_mars.snapshots.invariants import SETUP
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot

__all__ = [
    "check_clone",
    "check_invariants",
    "check_no_leak",
    "check_snapshot_round_trip",
    "check_told_apart",
    "play_random_game",
    "seen_by",
]

Check = Callable[[Game], None]


def play_random_game(
    config: GameConfig | None = None, seed: int = 0, check: Check | None = None, **settings: Any
) -> Game:
    """Play a random game of Pocket Mars; see `core.testing.play_random_game`.

    Args:
        config: the game's settings; alternatively, pass the settings as keyword arguments.
        seed: the seed of the game and of the random actions.
        check: a function that is called with the game before every action and when the game is over.
        settings: the fields of `GameConfig`; not allowed together with `config`.

    Returns:
        The finished game.

    Raises:
        ValueError: if the seed or a setting is invalid, or if both `config` and `settings` are given.
        TypeError: if a setting is unknown.

    """
    if config is not None and settings:
        raise ValueError(f"give either a config or single settings, got both: {sorted(settings)}")
    settings = settings if config is None else config.as_dict()
    return testing.play_random_game(Game, seed, check, **settings)


def check_invariants(game: Game) -> None:
    """Check the invariants of the current position.

    Cards, colonists, energy and knowledge must be consistent. The decision, the list of legal actions, the
    mask and `Game.step` must agree. Observations must lie in [0, 1].

    Raises:
        AssertionError: if an invariant is broken; the message names the invariant and the position.

    """
    data = game.snapshot()
    check_snapshot_of(game, data)
    check_decision(game, data)
    testing.check_invariants(game)


def check_snapshot_of(game: Game, data: Snapshot) -> None:
    """Check that `data`, the game's snapshot, satisfies the invariants of positions."""
    try:
        invariants.check_table(data)
        invariants.check_hands(data, game.resume_state())
    except ValueError as error:
        ensure(False, game, str(error))


def check_decision(game: Game, data: Snapshot) -> None:
    """Check the seat to play and the number of legal actions, and compare the snapshot with the game."""
    to_play, decision = game.to_play, game.decision
    ensure((to_play, decision) == (data["asked_seat"], data["decision"]), game, "the snapshot differs")
    ensure(game.scores == [seat["score"] for seat in data["seats"]], game, f"scores are {game.scores}")
    if game.over:
        return
    least = 1 if decision == Decision.TURN.name else 2  # R-FORCED
    ensure(len(game.legal) >= least, game, f"{len(game.legal)} legal actions")
    if decision in ("TURN", "SETTLE", "ABILITY"):
        ensure(to_play == data["active_seat"], game, "the seat to play is not the active seat")
    if decision == "BOTTOM":
        ensure(to_play == game.resume_state()["owner"], game, "the seat to play does not own the played card")


# --- snapshots ------------------------------------------------------------------------------------


def check_snapshot_round_trip(game: Game) -> None:
    """Check that a snapshot, passed through JSON, restores the game.

    With the resume state, the restored game must have the same bytes; without it, the same snapshot.

    Raises:
        AssertionError: if a check fails; the message names the check and the position.
        ValueError: if `Game.from_snapshot` rejects the snapshot.

    """
    data = json.loads(json.dumps(game.snapshot()))
    ensure(data == game.snapshot(), game, "the snapshot is not plain JSON data")
    exact = Game.from_snapshot(data, json.loads(json.dumps(game.resume_state())))
    ensure(exact.to_bytes() == game.to_bytes(), game, "snapshot and resume state give another game")
    config = game.config
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # issued if several positions fit
        restored = Game.from_snapshot(data, da_agent=config.da_agent, seed=0, round_limit=config.round_limit)
    ensure(restored.snapshot() == data, game, "the snapshot alone gives a game with another snapshot")


# --- information sets -------------------------------------------------------------------------------


def seen_by(game: Game, seat: int) -> dict[str, Any]:
    """Return the information set of a seat as plain data: everything that the seat sees or remembers.

    The data come from the snapshot and the resume state, not from the observation. An attentive player can
    distinguish two positions if and only if their information sets differ.
    """
    data, resume_state = game.snapshot(), game.resume_state()
    known = set(data["seats"][seat]["knows"])
    is_setup = data["decision"] in SETUP
    drawn = set(members(resume_state["drawn"]))

    def face(card: int | None) -> str | int | None:
        """Return a card as seen by the seat: its number, or the suit on its back; None for an empty slot."""
        return card if card is None or card in known else f"suit {CARD_SUIT[card]}"

    def faces(cards: Iterable[int]) -> list[str | int | None]:
        return sorted(map(face, cards), key=str)

    first_under = len(data["deck"]) - data["under"]
    return {
        "config": game.config.as_dict(),
        **{
            key: data[key]
            for key in ("round", "asked_seat", "decision", "over", "in_play", "discard", "under")
        },
        "turn": None if is_setup else (data["starting_seat"], data["active_seat"]),
        "piles": [
            [(is_up, card if card in known else None) for card, is_up in pile] for pile in data["piles"]
        ],
        "deck": [
            face(card) if index == 0 or index >= first_under else None
            for index, card in enumerate(data["deck"])
        ],
        "seats": [
            {
                **{key: entry[key] for key in ("earth", "ship", "energy", "star", "star2")},
                "hand": faces(card for card in entry["hand"] if card not in drawn),
                "packet": faces(entry.get("packet", [])),
                "prep": [face(card) for card in entry["prep"]],
            }
            for entry in data["seats"]
        ],
        "drawn": faces(drawn),
        "pending": data["seats"][seat].get("pending"),
        "resolving": [resume_state[key] for key in ("program", "played", "owner", "left")],
        "picked": or_none(resume_state["picked"]) if data["asked_seat"] == seat else None,
    }


def check_told_apart(game: Game, other: Game) -> None:
    """Check that a seat's observations of two positions differ if and only if `seen_by` differs.

    Every seat that exists in both games is checked.

    Raises:
        AssertionError: if a seat fails the check; the message names the seat.

    """
    for seat in range(min(game.config.seats, other.config.seats)):
        seen, is_same = seen_by(game, seat), np.array_equal(game.observe(seat), other.observe(seat))
        difference = [key for key, value in seen_by(other, seat).items() if value != seen[key]]
        ensure(
            is_same or difference,
            game,
            f"seat {seat} has different observations but the same information set",
        )
        ensure(
            not (is_same and difference),
            game,
            f"seat {seat} has the same observation, but its information sets differ in {difference}",
        )
