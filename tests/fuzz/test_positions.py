"""Changed positions are refused with a ValueError, or they are sound: they keep every invariant and end."""

import time
import warnings

import numpy as np
import pytest

from pocketmars_env import Game
from tests.fuzz.accepted import play_to_the_end
from tests.fuzz.amounts import SLOWEST, inputs
from tests.fuzz.positions import Position, changed_position

BATCH = 256
"""Accepted positions are played side by side."""


def accepted(position: Position, da_agent: bool) -> Game | None:
    """The game of a position, or None if it is refused as it should be."""
    data, resume_state = position
    start = time.monotonic()
    try:
        return Game.from_snapshot(data, resume_state, da_agent=da_agent, seed=0)
    except ValueError:
        return None
    finally:
        assert time.monotonic() - start < SLOWEST, position


@pytest.mark.parametrize("seed", range(4))
def test_changed_positions_are_refused_or_sound(seed: int) -> None:
    number_of_inputs = inputs(300)
    rng = np.random.default_rng([seed, number_of_inputs])
    waiting: list[Game] = []
    number_accepted = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # several positions fit
        for number in range(number_of_inputs):
            game = accepted(changed_position(rng), bool(rng.integers(2)))
            if game is not None:
                waiting.append(game)
                number_accepted += 1
            if len(waiting) == BATCH:
                play_to_the_end(waiting, number)
                waiting = []
    if waiting:
        play_to_the_end(waiting, seed)
    assert number_accepted > 0  # else the changes would be too coarse to find anything
    print(f"{number_accepted} positions accepted")
