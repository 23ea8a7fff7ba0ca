"""Every position reached from an accepted position is accepted again.

A position is changed at random. If it is accepted, random legal actions are played, and the snapshot and the
resume state after each action must be accepted too.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game
from pocketmars_env.core import game as core
from pocketmars_env.games.project_mars.game import Game as Duel
from pocketmars_env.games.project_mars.snapshots.from_snapshot import RANGES
from tests.fixed_play import play_fixed
from tests.fuzz.amounts import inputs
from tests.fuzz.mutations import mutated
from tests.fuzz.positions import CHANGES, Change, Position, Rng, changed_resume_state, fresh
from tests.fuzz.test_project_mars import random_position

Make = Callable[[Rng], Position]
"""Returns a random position after a random change."""
STEPS = 60
"""The number of actions after the change; a round of Project Mars has fewer."""


class NotClosedError(AssertionError):
    """An accepted position leads to a position that is refused."""


# --- Pocket Mars --------------------------------------------------------------------------------------


def changed(change: Change, rng: Rng) -> Position:
    data = fresh(rng).snapshot()
    for seat in data["seats"]:
        del seat["score"]
    change(data, rng)
    return data, None


def with_another_resume_state(rng: Rng) -> Position:
    game = fresh(rng)
    return game.snapshot(), changed_resume_state(game.resume_state(), rng)


# --- Project Mars -------------------------------------------------------------------------------------


def with_any_value(rng: Rng) -> Position:
    game = random_position(rng)
    data, resume_state = game.snapshot(), game.resume_state()
    return (mutated(data, rng), resume_state) if rng.integers(2) else (data, mutated(resume_state, rng))


def with_small_decks(rng: Rng) -> Position:
    """Move cards from the decks to the junkyards."""
    game = random_position(rng)
    data = game.snapshot()
    for seat in data["seats"]:
        size = int(rng.integers(len(seat["deck"]) + 1))
        seat["junkyard"] = sorted(seat["junkyard"] + seat["deck"][size:])
        del seat["deck"][size:]
    return data, game.resume_state()


def with_the_maximum(name: str, rng: Rng) -> Position:
    """Set a value of the resume state to the maximum that is accepted."""
    game = random_position(rng)
    return game.snapshot(), {**game.resume_state(), name: RANGES[name][1]}


# --- the property -------------------------------------------------------------------------------------


def cases() -> Iterator[Any]:
    """Yield a test case for each change: the class of the game, and the function that makes positions."""
    makes: list[tuple[str, type[core.Game], Make]] = [
        *((change.__name__, Game, partial(changed, change)) for change in CHANGES),
        ("with_another_resume_state", Game, with_another_resume_state),
        ("with_any_value", Duel, with_any_value),
        ("with_small_decks", Duel, with_small_decks),
        *(
            (f"the maximum of {name}", Duel, partial(with_the_maximum, name))
            for name in ("draws", "shuffles", "reveals")
        ),
    ]
    for name, kind, make in makes:
        yield pytest.param(kind, make, id=name)


@pytest.mark.filterwarnings("ignore:.* positions fit this snapshot")
@pytest.mark.parametrize(("kind", "make"), list(cases()))
def test_reached_positions_are_accepted(kind: type[core.Game], make: Make) -> None:
    for number in range(inputs(30)):
        try:
            data, resume_state = make(np.random.default_rng([number, 1]))
            game = kind.from_snapshot(data, resume_state)
        except ValueError:
            continue
        for reached in play_fixed(game, number, STEPS):
            try:
                kind.from_snapshot(reached.snapshot(), reached.resume_state())
            except ValueError as error:
                raise NotClosedError(f"input {number}, {reached!r}: {error}") from error
