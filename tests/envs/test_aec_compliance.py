"""PettingZoo's own checks in every mode, with the masks in the observations or in the infos."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.state_test import test_state_space as check_state_space
from pettingzoo.utils import turn_based_aec_to_parallel

from pocketmars_env.pocketmars_v1 import env, raw_env
from tests.envs.playing import is_over, legal_actions, started
from tests.modes import MODES

pytestmark = [
    pytest.mark.parametrize(
        "make",
        [
            *(
                pytest.param(partial(env, **settings, action_mask=place), id=f"{mode}-{place}")
                for mode, settings in MODES.items()
                for place in ("observation", "info")
            ),
            pytest.param(raw_env, id="raw"),
        ],
    ),
    # The checker warns about every Dict observation except in PettingZoo's own games.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]

Make = Callable[[], AECEnv]


def test_api(make: Make) -> None:
    api_test(make())


def test_seeds(make: Make) -> None:
    seed_test(make)


def test_turn_based_parallel_api(make: Make) -> None:
    parallel_api_test(turn_based_aec_to_parallel(make()), num_cycles=100)


def test_states(make: Make) -> None:
    """PettingZoo's `state_test` ignores masks, so this test chooses the actions itself."""
    made = started(make=make)
    check_state_space(made)
    check_state_space(turn_based_aec_to_parallel(made))
    rng = np.random.default_rng(1)
    while not is_over(made):
        state = made.state()
        assert made.state_space.contains(state)
        assert state.dtype == made.state_space.dtype
        seen = [made.observe(agent) for agent in made.possible_agents]
        vectors = [one["observation"] if isinstance(one, dict) else one for one in seen]
        assert np.array_equal(state, np.concatenate(vectors))
        made.step(rng.choice(legal_actions(made)))
    assert made.state_space.contains(made.state())
