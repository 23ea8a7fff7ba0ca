"""Several vector environments joined into one."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_training.common.joined_vec_env import JoinedVecEnv

PARTS: list[tuple[str, int, dict[str, Any]]] = [
    (SOLO_ID, 2, {"level": "cyborg"}),
    (TABLE_ID, 3, {"players": 4}),
    (TABLE_ID, 1, {"players": 2}),
]
SIZES = [count for _, count, _ in PARTS]


def parts() -> list[PocketMarsVecEnv]:
    return [PocketMarsVecEnv(name, count, **settings) for name, count, settings in PARTS]


@pytest.mark.parametrize("threads", [1, 2])
def test_it_equals_its_parts_side_by_side(threads: int) -> None:
    joined: Any = JoinedVecEnv(parts(), threads)
    alone: list[Any] = parts()
    joined.seed(7)
    for part, first in zip(alone, (7, 9, 12)):
        part.seed(first)
    assert np.array_equal(joined.reset(), np.concatenate([part.reset() for part in alone]))
    rng, ended = np.random.default_rng(7), 0
    for _ in range(300):
        masks = np.stack(joined.env_method("action_masks"))
        assert np.array_equal(masks, np.concatenate([part.env_method("action_masks") for part in alone]))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        found = joined.step(actions)
        own = [part.step(some) for part, some in zip(alone, np.split(actions, np.cumsum(SIZES)[:-1]))]
        for place in range(3):
            expected = np.concatenate([results[place] for results in own])
            assert found[place].dtype == expected.dtype
            assert np.array_equal(found[place], expected)
        infos = [info for results in own for info in results[3]]
        assert len(found[3]) == len(infos)
        for info, other in zip(found[3], infos):
            assert info.keys() == other.keys()
            if "episode" in info:
                times = [each["episode"].pop("t") for each in (info, other)]
                assert min(times) >= 0
            assert all(np.array_equal(info[key], other[key]) for key in info)
        ended += int(found[2].sum())
    assert ended > len(masks)


def test_seeds_of_the_parts_stay_until_it_gets_its_own() -> None:
    def own() -> list[PocketMarsVecEnv]:
        return [PocketMarsVecEnv(TABLE_ID, 2, seed=3), PocketMarsVecEnv(TABLE_ID, 2, seed=8)]

    expected = np.concatenate([part.reset() for part in own()])
    joined = JoinedVecEnv(own())
    assert np.array_equal(joined.reset(), expected)
    joined.seed(3)
    assert np.array_equal(joined.reset(), PocketMarsVecEnv(TABLE_ID, 4, seed=3).reset())


def test_the_methods_that_sb3_calls() -> None:
    joined = JoinedVecEnv(parts())
    joined.reset()
    assert joined.num_envs == 6
    assert joined.get_attr("render_mode") == [None] * 6
    assert len(joined.env_method("action_masks", indices=[0, 5])) == 2
    with pytest.raises(AttributeError, match="'level' cannot be set"):
        joined.set_attr("level", "cyborg")
    joined.close()


def test_it_needs_a_part() -> None:
    with pytest.raises(ValueError, match="at least one environment is needed"):
        JoinedVecEnv([])


@pytest.mark.parametrize("actions", [None, 0, [0] * 5, [0] * 7, [0.0] * 6, [[0] * 6], [0, 0, 0, 0, 0, "x"]])
def test_wrong_actions_are_refused_before_any_part_steps(actions: Any) -> None:
    joined = JoinedVecEnv(parts())
    joined.seed(7)
    joined.reset()
    before = [part.envs.games.states.tobytes() for part in joined.parts]
    with pytest.raises(ValueError, match="6 integers, got"):
        joined.step(actions)
    assert [part.envs.games.states.tobytes() for part in joined.parts] == before
