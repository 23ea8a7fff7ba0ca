"""Single and vector environments with the same settings, for the tests."""

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from pocketmars_env import sample_actions
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_env.pocketmars_v1 import SoloEnv, SoloVectorEnv, TableEnv, TableVectorEnv
from tests.modes import MODES

SHORT = {"round_limit": 3}

KINDS: dict[str, tuple[type[SeatEnv], type[SeatVectorEnv], dict[str, Any]]] = {}
"""The single environment, the vector environment and the settings of both, by name."""

for mode, game_settings in MODES.items():
    settings = {name: value for name, value in game_settings.items() if name != "da_agent"}
    if "mode" in settings:
        solo = {name: value for name, value in settings.items() if name != "mode"}
        KINDS[mode] = (SoloEnv, SoloVectorEnv, solo)
        KINDS[f"{mode}_as_da"] = (TableEnv, TableVectorEnv, {**settings, "seat": 1})
    else:
        KINDS[mode] = (TableEnv, TableVectorEnv, settings)

SEVERAL_KINDS = pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=pytest.mark.slow if kind.endswith("_as_da") and "cyborg" not in kind else ())
        for kind in KINDS
    ],
)
"""All kinds; those in which the learner plays the DA are marked slow, except at the cyborg level."""


def singles(kind: str, count: int, mode: AutoresetMode, **settings: Any) -> Any:
    """Return Gymnasium's own vector environment over `count` single environments."""
    single, _, own = KINDS[kind]
    return SyncVectorEnv([lambda: single(**own, **settings)] * count, autoreset_mode=mode)


def vector(kind: str, count: int, mode: AutoresetMode, **settings: Any) -> SeatVectorEnv:
    """Return the native vector environment."""
    _, native, own = KINDS[kind]
    return native(num_envs=count, autoreset_mode=mode, **own, **settings)


def ends_of_equal_play(native: Any, envs: Any, steps: int) -> int:
    """Compare native and single environments in random play; return the number of ended episodes."""
    seen = envs.reset(seed=7)
    assert_same(native.reset(seed=7), seen)
    infos, ended = seen[1], 0
    for step in range(steps):
        actions = sample_actions(infos["action_mask"], np.random.default_rng(step))
        results = envs.step(actions)
        assert_same(native.step(actions), results)
        infos = results[4]
        ended += int((results[2] | results[3]).sum())
    return ended


def assert_same(found: Any, expected: Any) -> None:
    """Check that nested dictionaries and tuples have equal arrays with equal types."""
    assert type(found) is type(expected)
    if isinstance(expected, dict):
        assert set(found) == set(expected)
        for key in expected:
            assert_same(found[key], expected[key])
    elif isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected):
            assert_same(one, other)
    elif isinstance(expected, np.ndarray) and expected.dtype == object:
        assert_same(tuple(found), tuple(expected))
    elif isinstance(expected, np.ndarray):
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)
    else:
        assert found == expected
