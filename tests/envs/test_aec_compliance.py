"""PettingZoo's own checks, in every mode, with and without the wrappers."""

from collections.abc import Callable
from typing import Any

import pytest
from pettingzoo import AECEnv
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

from pocketmars_env.pocketmars_v0 import env, raw_env
from tests.modes import MODES

pytestmark = [
    pytest.mark.parametrize("mode", MODES),
    pytest.mark.parametrize("make", [raw_env, env]),
    # The checker warns of every Dict observation but those of PettingZoo's own games.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]

Make = Callable[..., AECEnv]


def test_api(make: Make, mode: str) -> None:
    api_test(make(**MODES[mode]))


def test_seeds(make: Make, mode: str) -> None:
    def made() -> Any:
        return make(**MODES[mode])

    seed_test(made)


def test_turn_based_parallel_api(make: Make, mode: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(make(**MODES[mode])), num_cycles=100)
