"""Every position of Pocket Mars reached from an accepted position is accepted again.

A position is changed at random. If it is accepted, random legal actions are played, and the snapshot and the
resume state after each action must be accepted too.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

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


class NotClosedError(AssertionError):
    """An accepted position leads to a position that is refused."""


def changed(change: Change, rng: Rng) -> Position:
    data = fresh(rng).snapshot()
    for seat in data["seats"]:
        del seat["score"]
    change(data, rng)
    return data, None


def with_another_resume_state(rng: Rng) -> Position:
    game = fresh(rng)
    return game.snapshot(), changed_resume_state(game.resume_state(), rng)


# --- the property -------------------------------------------------------------------------------------


OPEN = {
    "change_who": "a seat resolves a card that another seat has played",
}
"""The changes after which an accepted position leads to a refused one, with the reason."""


def cases() -> Iterator[Any]:
    """Yield a test case for each change: the function that makes positions."""
    makes: dict[str, Make] = {change.__name__: partial(changed, change) for change in CHANGES}
    for name, make in {**makes, "with_another_resume_state": with_another_resume_state}.items():
        is_open = pytest.mark.xfail(raises=NotClosedError, strict=True, reason=OPEN.get(name, ""))
        yield pytest.param(make, id=name, marks=[is_open] if name in OPEN else [])


@pytest.mark.filterwarnings("ignore:.* positions fit this snapshot")
@pytest.mark.parametrize("make", list(cases()))
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
                raise NotClosedError(f"input {number}, {reached!r}: {error}") from error
