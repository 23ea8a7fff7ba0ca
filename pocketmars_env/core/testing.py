"""Checks that every game of Pocket Mars must pass at every decision.

They look at a `Game` from outside, so that a changed engine, an adapter or a hand-made position can
be tested with them:

>>> game = play_random_game(seed=1, check=check_invariants, players=3)
>>> game.over
True

All checks raise an AssertionError that says what is broken and where, and leave the game as it is.
"""

import copy
import json
import pickle
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from pocketmars_env.core import batch
from pocketmars_env.core.game import Game, IllegalAction
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import (
    ACTION_BLOCKS,
    BLOCK_OF_DECISION,
    NUM_ACTIONS,
    YES_NO_DECISIONS,
    block_of,
    first_action,
)
from pocketmars_env.games.pocket_mars.rules.cards import CARD_SUIT
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT, Decision
from pocketmars_env.games.pocket_mars.rules.state import STATE, new_states
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot, cards_in, or_none
from pocketmars_env.games.pocket_mars.snapshots.possible import check_position
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import SETUP, check_snapshot

Check = Callable[[Game], None]

BLOCK_NAMES = {first_action(block.name): block.name for block in ACTION_BLOCKS}


def play_random_game(
    config: GameConfig | None = None, seed: int = 0, check: Check | None = None, **settings: Any
) -> Game:
    """Play a game with random answers to its end.

    Args:
        config: the game's settings; or give them one by one, as to `Game`.
        seed: of the game and of the answers.
        check: called with the game before every answer and at its end.
        settings: keyword arguments of `Game`.

    Returns:
        The finished game.

    Raises:
        ValueError: for settings that `Game` does not accept, or settings given twice.

    """
    if config is not None and settings:
        raise ValueError(f"give either a config or single settings, got both: {sorted(settings)}")
    game = Game(**(settings if config is None else config.as_dict()), seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        if check is not None:
            check(game)
        if game.over:
            return game
        legal = game.legal()
        game.step(legal[rng.integers(len(legal))])


def ensure(condition: object, game: Game, complaint: str) -> None:
    """Raise an AssertionError with the complaint and the game's text unless the condition holds."""
    if not condition:
        raise AssertionError(f"{complaint}, at {game!r}. The game:\n{game.to_text()}")


# --- invariants -----------------------------------------------------------------------------------


def check_invariants(game: Game) -> None:
    """Check what holds in every position, whatever was played.

    Cards, colonists, energy and knowledge are consistent; the question, the legal list, the mask
    and what `Game.step` accepts agree; observations lie in [0, 1].

    Raises:
        AssertionError: says what is broken and where.

    """
    data = game.snapshot()
    check_snapshot_of(game, data)
    check_question(game, data)
    check_actions(game)
    check_masks(game)
    check_observations(game)


def check_snapshot_of(game: Game, data: Snapshot) -> None:
    """What lies on the table, who knows what, and what is asked, fit each other (`possible.py`)."""
    try:
        check_snapshot(data)
        check_position(data, game.bookmark(), len(game.legal()))
    except ValueError as error:
        ensure(False, game, str(error))


def check_question(game: Game, data: Snapshot) -> None:
    """Who is asked what: a seat at the table, the right one, with a choice to make."""
    asked, decision = game.asked, game.decision
    ensure((asked, decision) == (data["asked_seat"], data["decision"]), game, "the snapshot differs")
    ensure(game.over == (asked is None) == (decision is None), game, "a finished game asks, or one waits")
    ensure(bool(game.winners()) == game.over, game, f"winners are {game.winners()}")
    ensure(game.scores() == [seat["score"] for seat in data["seats"]], game, f"scores are {game.scores()}")
    if game.over:
        ensure(game.legal() == [], game, "a finished game has legal actions")
        return
    ensure(asked in range(game.config.seats), game, f"seat {asked} is asked")
    least = 1 if decision == Decision.TURN.name else 2  # R-FORCED
    ensure(len(game.legal()) >= least, game, f"a question with {len(game.legal())} answers")
    if decision in ("TURN", "SETTLE", "ABILITY"):
        ensure(asked == data["active_seat"], game, "the turn is another seat's")
    if decision == "BOTTOM":
        ensure(asked == game.bookmark()["owner"], game, "a bottom action is asked of a seat not its owner")
    is_da = data["mode"] == "solo" and asked == DA_SEAT
    ensure(is_da == (decision in ("DA_UPGRADE", "DA_SETTLE")), game, "the wrong side is asked")
    ensure(game.config.da_agent or not is_da, game, "the DA is asked, but the automaton decides")


def check_actions(game: Game) -> None:
    """`step` accepts exactly the legal actions; any other is refused and changes no byte."""
    legal, before = set(game.legal()), game.to_bytes()
    ensure(legal <= allowed_actions(game.decision), game, f"actions of another decision: {sorted(legal)}")
    for action in legal:
        game.clone().step(action)
    refused = sorted(set(range(NUM_ACTIONS)) - legal)
    states = new_states(1)
    states[0] = np.frombuffer(before, dtype=STATE)[0]
    for action in refused:
        # the compiled step: the error messages of all refused actions would take most of the time
        is_accepted = batch.step_at(states, 0, action)
        ensure(not is_accepted, game, f"the illegal action {action} is accepted")
        ensure(states.tobytes() == before, game, f"the refused action {action} changed the game")
    for action in (-1, refused[0], NUM_ACTIONS):
        try:
            game.clone().step(action)
        except IllegalAction:
            continue
        ensure(False, game, f"step accepts the illegal action {action}")
    ensure(game.to_bytes() == before, game, "looking at the game has changed it")


def check_masks(game: Game) -> None:
    """The masks of all seats, and their views', show the legal actions of the seat that is asked."""
    for seat in range(game.config.seats):
        legal = game.legal() if seat == game.asked else []
        ensure(np.flatnonzero(game.mask(seat)).tolist() == legal, game, f"the mask of seat {seat} is wrong")
        ensure(game.view(seat).legal == legal, game, f"the view of seat {seat} has other legal actions")


def allowed_actions(name: str | None) -> set[int]:
    """The actions that may ever answer a decision."""
    if name is None:
        return set()
    decision = Decision[name]
    if decision == Decision.TURN:
        blocks = {"PLAY_HAND", "PLAY_PREP", "PLAY_OTHER", "LAUNCH", "DISCARD_FOR_ENERGY"}
    elif decision in YES_NO_DECISIONS:
        blocks = {"ACCEPT", "PASS"}
    else:
        blocks = {BLOCK_NAMES[BLOCK_OF_DECISION[decision]]}
        if decision == Decision.PUT_UNDER:
            blocks.add("PASS")
    return {action for action in range(NUM_ACTIONS) if block_of(action)[0].name in blocks}


def check_observations(game: Game) -> None:
    """Every seat's observation lies in [0, 1]."""
    for seat in range(game.config.seats):
        observation = game.observe(seat)
        is_in_range = (observation >= 0) & (observation <= 1)
        wrong = np.flatnonzero(~is_in_range).tolist()
        ensure(not wrong, game, f"entries {wrong} of the observation of seat {seat} are outside [0, 1]")


# --- copies ---------------------------------------------------------------------------------------


def check_clone(game: Game) -> None:
    """Clones, copies and pickles equal the game, have its future, and go their own way.

    Raises:
        AssertionError: says which copy differs and where.

    """
    before = game.to_bytes()
    twins = {
        "clone": game.clone(),
        "copy": copy.copy(game),
        "deep copy": copy.deepcopy(game),
        "pickle": pickle.loads(pickle.dumps(game)),
    }
    futures = set()
    for name, twin in twins.items():
        ensure(twin.to_bytes() == before, game, f"the {name} differs from the game")
        if not game.over:
            twin.step(game.legal()[-1])
            ensure(game.to_bytes() == before, game, f"playing the {name} on changes the game")
            futures.add(twin.to_bytes())
    ensure(len(futures) <= 1, game, "the same action leads copies to different positions")


def check_snapshot_round_trip(game: Game) -> None:
    """The snapshot, sent through JSON, gives the game back.

    With the bookmark the very bytes return; without it a game with the same snapshot.

    Raises:
        AssertionError: says which way fails and where.

    """
    data = json.loads(json.dumps(game.snapshot()))
    ensure(data == game.snapshot(), game, "the snapshot is not plain JSON data")
    exact = Game.from_snapshot(data, json.loads(json.dumps(game.bookmark())))
    ensure(exact.to_bytes() == game.to_bytes(), game, "snapshot and bookmark give another game")
    config = game.config
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # several positions fit
        found = Game.from_snapshot(data, da_agent=config.da_agent, seed=0, round_limit=config.round_limit)
    ensure(found.snapshot() == data, game, "the snapshot alone gives a game with another snapshot")


# --- hidden information ---------------------------------------------------------------------------


def check_no_leak(game: Game, seed: int = 0) -> None:
    """No seat's observation, mask or view depends on what the seat does not know.

    For every seat, a random world that the seat cannot tell from the true one must look the same.

    Args:
        game: any game.
        seed: of the random worlds.

    Raises:
        AssertionError: says whose view tells two such worlds apart, by what, and where.

    """
    rng = np.random.default_rng(seed)
    for seat in range(game.config.seats):
        view = game.view(seat)
        world = view.sample(rng)
        other = world.view(seat)
        same = {
            "observation": np.array_equal(game.observe(seat), world.observe(seat)),
            "mask": np.array_equal(game.mask(seat), world.mask(seat)),
            "view's observation": view.observation.tobytes() == other.observation.tobytes(),
            "view's mask": view.mask.tobytes() == other.mask.tobytes(),
            "view's state": view.states.tobytes() == other.states.tobytes(),
        }
        leaks = [name for name, is_same in same.items() if not is_same]
        ensure(not leaks, game, f"seat {seat} can tell worlds apart by its {', '.join(leaks)} (seed {seed})")
        is_own_view = np.array_equal(view.observation, game.observe(seat))
        ensure(is_own_view, game, f"the view of seat {seat} has another observation than the game")


# --- what can be told apart -------------------------------------------------------------------------


def seen_by(game: Game, seat: int) -> dict[str, Any]:
    """All that the seat sees or remembers, read from the snapshot alone, as plain data.

    Two positions that differ in it are positions that an attentive player at the table can tell apart.
    """
    data, bookmark = game.snapshot(), game.bookmark()
    known = set(data["seats"][seat]["knows"])
    is_setup = data["decision"] in SETUP
    drawn = set(cards_in(bookmark["drawn"]))

    def face(card: int | None) -> str | int | None:
        """A card as the seat sees it: its number, or the suit on its back."""
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
            face(card) if place == 0 or place >= first_under else None
            for place, card in enumerate(data["deck"])
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
        "resolving": [bookmark[key] for key in ("program", "played", "owner", "left")],
        "picked": or_none(bookmark["picked"]) if data["asked_seat"] == seat else None,
    }


def check_told_apart(game: Game, other: Game) -> None:
    """Every seat's observations of two positions differ exactly if what the seat sees differs (`seen_by`).

    Raises:
        AssertionError: says whose observations are wrong.

    """
    for seat in range(min(game.config.seats, other.config.seats)):
        seen, is_same = seen_by(game, seat), np.array_equal(game.observe(seat), other.observe(seat))
        difference = [key for key, value in seen_by(other, seat).items() if value != seen[key]]
        ensure(is_same or difference, game, f"seat {seat} sees the same, but is shown something else")
        ensure(
            not (is_same and difference),
            game,
            f"seat {seat} is shown the same, but sees another {difference}",
        )
