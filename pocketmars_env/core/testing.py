"""Checks that every game must pass at every position.

The checks work with every subclass of `Game`, so they can also test modified rules, your own games and custom
positions. A failed check raises an AssertionError that describes the failure and the position. Checks do not
change the game.
"""

import copy
import pickle
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.game import Game
from pocketmars_env.core.presentation.presenting import seen_snapshot

AnyGame = TypeVar("AnyGame", bound=Game)


def play_random_game(
    game_class: Callable[..., AnyGame],
    seed: int = 0,
    check: Callable[[AnyGame], None] | None = None,
    **settings: Any,
) -> AnyGame:
    """Play a game to its end with uniformly random legal actions.

    Args:
        game_class: the subclass of `Game` to play, or another function that creates a game.
        seed: the seed of the game and of the random actions.
        check: a function that is called with the game before every action and at the end.
        settings: settings of the game.

    Returns:
        The finished game.

    Raises:
        ValueError: for an invalid seed or setting.
        TypeError: for an unknown setting.

    """
    game = game_class(**settings, seed=seed)
    rng = np.random.default_rng(seed)
    while True:
        if check is not None:
            check(game)
        if game.over:
            return game
        legal = game.legal
        game.step(legal[rng.integers(len(legal))])


def ensure(condition: object, game: Game, complaint: str) -> None:
    """Raise an AssertionError with the complaint and the game's text if the condition is false."""
    if not condition:
        raise AssertionError(f"{complaint}, at {game!r}. The game:\n{game.to_text()}")


# --- invariants -----------------------------------------------------------------------------------


def check_invariants(game: Game) -> None:
    """Check the decision, legal actions, masks, `Game.step`, winners, and the range of the observations.

    Raises:
        AssertionError: if a check fails; the message describes the failure and the position.

    """
    check_decision(game)
    check_actions(game)
    check_masks(game)
    check_observations(game)


def check_decision(game: Game) -> None:
    """Check the seat to play, the decision, the winners and the legal actions.

    A running game must have a seat to play, a decision, legal actions that belong to this decision, and no
    winners. A finished game must have winners, but no seat to play, no decision and no legal actions.
    """
    to_play, decision = game.to_play, game.decision
    ensure(
        game.over == (to_play is None) == (decision is None),
        game,
        "over, to_play and decision contradict each other",
    )
    ensure(bool(game.winners) == game.over, game, f"winners are {game.winners}")
    if game.over:
        ensure(game.legal == [], game, "a finished game has legal actions")
        return
    ensure(to_play in range(game.seats), game, f"seat {to_play} is to play")
    ensure(game.legal, game, "no legal actions")
    row = game.spec.decision_named(decision or "")
    blocks = (*row.blocks, "PASS") if row.may_pass else row.blocks
    other = [action for action in game.legal if game.spec.block_of(action)[0].name not in blocks]
    ensure(not other, game, f"legal actions of another decision: {other}")


def check_actions(game: Game) -> None:
    """Check that `Game.step` accepts all legal actions, and that illegal actions are rejected.

    The compiled function `step_at` must reject every illegal action and leave the state unchanged.
    Whether `Game.step` rejects illegal actions is tested only with the first illegal action, if any, and with
    two numbers that are not actions.
    """
    legal, before = set(game.legal), game.to_bytes()
    for action in legal:
        try:
            game.clone().step(action)
        except IllegalAction as error:
            ensure(False, game, f"step rejects the legal action {action}: {error}")
    spec = game.spec
    refused = sorted(set(range(spec.num_actions)) - legal)
    states = blank_records(1, spec.state)
    states[0] = np.frombuffer(before, dtype=spec.state)[0]
    for action in refused:
        # `Game.step` would be slow because it writes an error message for each illegal action
        is_accepted = spec.batch.step_at(states, 0, action)
        ensure(not is_accepted, game, f"the illegal action {action} is accepted")
        ensure(states.tobytes() == before, game, f"the refused action {action} changed the game")
    for action in (-1, *refused[:1], spec.num_actions):
        try:
            game.clone().step(action)
        except IllegalAction:
            continue
        ensure(False, game, f"step accepts the illegal action {action}")
    ensure(game.to_bytes() == before, game, "the checks changed the game")


def check_masks(game: Game) -> None:
    """Check every seat's action mask, and the legal actions in every seat's view.

    For the seat to play, both must contain exactly the actions from `Game.legal`. For other seats, they must
    contain no actions.
    """
    for seat in range(game.seats):
        legal = game.legal if seat == game.to_play else []
        ensure(np.flatnonzero(game.mask(seat)).tolist() == legal, game, f"the mask of seat {seat} is wrong")
        ensure(game.view(seat).legal == legal, game, f"the view of seat {seat} has the wrong legal actions")


def check_observations(game: Game) -> None:
    """Check that every seat's observation lies in [0, 1]."""
    for seat in range(game.seats):
        observation = game.observe(seat)
        is_in_range = (observation >= 0) & (observation <= 1)
        wrong = np.flatnonzero(~is_in_range).tolist()
        ensure(not wrong, game, f"entries {wrong} of the observation of seat {seat} are outside [0, 1]")


# --- copies ---------------------------------------------------------------------------------------


def check_clone(game: Game) -> None:
    """Check that clones, copies and pickles equal the game, and that they are independent of it.

    In each copy, the legal action with the highest number is played. This action must lead to the same
    position in all copies and must not change the original. No further actions are tested.

    Raises:
        AssertionError: if a check fails; the message describes the failure and the position.

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
            twin.step(game.legal[-1])
            ensure(game.to_bytes() == before, game, f"an action in the {name} changes the game")
            futures.add(twin.to_bytes())
    ensure(len(futures) <= 1, game, "the same action leads copies to different positions")


# --- hidden information ---------------------------------------------------------------------------


def check_no_leak(game: Game, seed: int = 0) -> None:
    """Check that no seat's observation, mask, snapshot or view depends on what is hidden from the seat.

    For every seat, one random determinization must look the same to the seat as the true game. To test other
    determinizations, call the function with other seeds.

    Args:
        game: a game at any position.
        seed: the seed of the determinizations, a non-negative integer.

    Raises:
        AssertionError: if hidden information leaks, or if a view and the game have different observations;
            the message names the seat, the difference and the position.

    """
    rng = np.random.default_rng(seed)
    for seat in range(game.seats):
        view = game.view(seat)
        sample = view.sample(rng)
        other = sample.view(seat)
        same = {
            "observation": np.array_equal(game.observe(seat), sample.observe(seat)),
            "mask": np.array_equal(game.mask(seat), sample.mask(seat)),
            "view's observation": view.observation.tobytes() == other.observation.tobytes(),
            "view's mask": view.mask.tobytes() == other.mask.tobytes(),
            "snapshot": view.snapshot() == seen_snapshot(game.spec, sample.states, seat),
            "view's state": view.states.tobytes() == other.states.tobytes(),
        }
        leaks = [name for name, is_same in same.items() if not is_same]
        ensure(
            not leaks,
            game,
            f"seat {seat} can tell determinizations apart by its {', '.join(leaks)} (seed {seed})",
        )
        is_own_view = np.array_equal(view.observation, game.observe(seat))
        ensure(is_own_view, game, f"the view of seat {seat} and the game have different observations")
