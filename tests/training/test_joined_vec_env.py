"""Several vector environments as one."""

from typing import Any

import numpy as np
import pytest

from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from tests.envs.scripts import Scripted, find_script

pytest.importorskip("stable_baselines3")

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.common.joined_vec_env import JoinedVecEnv

PARTS: list[tuple[str, int, dict[str, Any]]] = [
    (SOLO_ID, 2, {"level": "cyborg"}),
    (TABLE_ID, 3, {"players": 4}),
    (TABLE_ID, 1, {"players": 2}),
]
SIZES = [count for _, count, _ in PARTS]


def parts() -> list[PocketMarsVecEnv]:
    return [PocketMarsVecEnv(name, count, **settings) for name, count, settings in PARTS]


def test_it_equals_its_parts_side_by_side() -> None:
    joined: Any = JoinedVecEnv(parts())
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


@pytest.mark.parametrize("winner", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
def test_wins_and_losses_reach_the_learner_whoever_moves_last(winner: int, last: int) -> None:
    script = find_script(winner, last)
    seats = (0, 1)
    joined: Any = JoinedVecEnv(
        [
            PocketMarsVecEnv(
                TABLE_ID, 1, seed=script.seed, seat=seat, opponents=Scripted(script.answers[1 - seat])
            )
            for seat in seats
        ]
    )
    joined.reset()
    heard: list[list[float]] = [[], []]
    for step in range(max(map(len, script.answers.values()))):
        masks = joined.env_method("action_masks")
        actions = [
            script.answers[seat][step] if step < len(script.answers[seat]) else int(masks[seat].argmax())
            for seat in seats
        ]
        _, rewards, dones, _ = joined.step(np.array(actions))
        for seat in seats:
            if step < len(script.answers[seat]):
                assert dones[seat] == (step == len(script.answers[seat]) - 1)
                heard[seat].append(float(rewards[seat]))
    for seat in seats:
        assert heard[seat][-1] == (1.0 if winner == seat else -1.0)
        assert not any(heard[seat][:-1])


def test_what_sb3_asks_of_single_environments() -> None:
    joined = JoinedVecEnv(parts())
    joined.reset()
    assert joined.num_envs == 6
    assert joined.get_attr("render_mode") == [None] * 6
    assert len(joined.env_method("action_masks", indices=[0, 5])) == 2
    assert joined.get_images() == [None] * 6
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
    before = [part.envs.tables.states.tobytes() for part in joined.parts]
    with pytest.raises(ValueError, match="6 integers, got"):
        joined.step(actions)
    assert [part.envs.tables.states.tobytes() for part in joined.parts] == before
