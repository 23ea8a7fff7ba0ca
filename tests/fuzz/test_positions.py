"""Changed positions are refused, or played to the end while every reached position is accepted again."""

import time
import warnings

import numpy as np
import pytest

from pocketmars_env import Game
from tests.fuzz.accepted import play_to_the_end
from tests.fuzz.amounts import SLOWEST, inputs
from tests.fuzz.positions import Position, changed_position

BATCH = 256
"""How many accepted positions are played to the end together."""


def accepted(position: Position, da_agent: bool) -> Game | None:
    """Return the game of a position, or None if it is refused with a ValueError."""
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
    number_of_inputs = inputs(150)
    rng = np.random.default_rng([seed, number_of_inputs])
    waiting: list[Game] = []
    number_accepted = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # ambiguous snapshots raise a warning
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
    assert number_accepted > 0  # if all were refused, nothing would be tested
    print(f"{number_accepted} positions accepted")
