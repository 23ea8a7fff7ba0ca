"""Every position of Pocket Mars reached from an accepted position is accepted again.

A position is changed at random. If it is accepted, random legal actions are played, and the snapshot and the
resume state after each action must be accepted too.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from pocketmars_env import Game
from tests.fixed_play import play_fixed
from tests.fuzz.amounts import inputs
from tests.fuzz.positions import CHANGES, Change, Position, Rng, changed_resume_state, fresh

Make = Callable[[Rng], Position]
"""Returns a random position after a random change."""
STEPS = 60
"""The number of actions after the change."""


def changed(change: Change, rng: Rng) -> Position:
    data = fresh(rng).snapshot()
    for seat in data["seats"]:
        del seat["score"]
    change(data, rng)
    return data, None


def with_another_resume_state(rng: Rng) -> Position:
    game = fresh(rng)
    return game.snapshot(), changed_resume_state(game.resume_state(), rng)


MAKES: dict[str, Make] = {
    **{change.__name__: partial(changed, change) for change in CHANGES},
    "with_another_resume_state": with_another_resume_state,
}


@pytest.mark.filterwarnings("ignore:.* positions fit this snapshot")
@pytest.mark.parametrize("make", MAKES.values(), ids=MAKES.keys())
def test_reached_positions_are_accepted(make: Make) -> None:
    for number in range(inputs(30)):
        try:
            data, resume_state = make(np.random.default_rng([number, 1]))
            game = Game.from_snapshot(data, resume_state)
        except ValueError:
            continue
        for reached in play_fixed(game, number, STEPS):
            try:
                Game.from_snapshot(reached.snapshot(), reached.resume_state())
            except ValueError as error:
                raise AssertionError(f"input {number}, {reached!r}: {error}") from error
