"""Long random play in every mode keeps every game state valid.

With `NUMBA_BOUNDSCHECK=1`, it also finds kernels that access memory outside their arrays."""

import numpy as np
import pytest

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Games
from pocketmars_env.core.compiled.per_game import compiled_for
from pocketmars_env.games.pocket_mars.kernels import KERNELS
from tests.fuzz.accepted import check_all, check_one
from tests.fuzz.amounts import inputs
from tests.modes import MODES

GAMES = 250
DECISIONS_PER_INPUT = 1000
play_all = compiled_for("pocketmars_env.core.compiled.random_play", KERNELS).play_all


@pytest.mark.parametrize("mode", MODES)
def test_random_play_stays_sound(mode: str) -> None:
    games = Games(GAMES, **MODES[mode], seed=inputs(100))
    words = np.empty(GAMES, dtype=np.uint64)
    masks = np.empty((GAMES, NUM_ACTIONS), dtype=np.int8)
    observations = np.empty((GAMES, OBSERVATION_SIZE), dtype=np.float32)
    steps = inputs(100) * DECISIONS_PER_INPUT // GAMES
    ended = play_all(games.states, np.uint64(1), steps, words, masks, observations)
    assert ended > 0
    check_all(games.states)
    for number in range(0, GAMES, 10):
        check_one(games.states, number)
