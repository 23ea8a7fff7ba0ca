"""The vector environment for Stable-Baselines3."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor

from examples.sb3_unmasked import Algorithm, train
from pocketmars_agents import make_agent
from pocketmars_env import NUM_ACTIONS, Games
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv, export_onnx
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.envs.rewards import RESULTS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import Termination
from tests.envs.vectors import KINDS, SEVERAL_KINDS, SHORT

COUNT = 3


def gym_id(kind: str) -> str:
    return SOLO_ID if KINDS[kind][0].__name__ == "SoloEnv" else TABLE_ID


def learner(env: Any, **settings: Any) -> MaskablePPO:
    return MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=32, n_epochs=1, device="cpu", **settings)


# The checker's warnings, for example about a Box without an upper bound, are only advice.
@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("kind", ["solo_cyborg", "two", "four"])
def test_the_single_environments_pass_sb3s_check(kind: str) -> None:
    single, _, settings = KINDS[kind]
    check_env(single(**settings))


@pytest.mark.parametrize("limit", [{}, SHORT], ids=["whole", "truncated"])
@SEVERAL_KINDS
def test_it_equals_sb3s_own_over_single_environments(kind: str, limit: dict[str, int]) -> None:
    single, _, own = KINDS[kind]
    settings = {**own, **limit}
    dummy: Any = DummyVecEnv([lambda: Monitor(single(**settings))] * COUNT)
    native: Any = PocketMarsVecEnv(gym_id(kind), COUNT, **settings)
    dummy.seed(5)
    native.seed(5)
    assert np.array_equal(native.reset(), dummy.reset())
    rng, ended = np.random.default_rng(5), 0
    for step in range(250):
        masks = get_action_masks(dummy)
        assert np.array_equal(get_action_masks(native), masks)
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        if step % 50 == 49:
            actions[0] = NUM_ACTIONS - 1  # most often illegal
        found, expected = native.step(actions), dummy.step(actions)
        for one, other in zip(found[:3], expected[:3]):
            assert one.dtype == other.dtype
            assert np.array_equal(one, other)
        for info, other_info in zip(found[3], expected[3]):
            other_info.pop("action_mask")
            if "episode" in info:
                assert info["episode"].keys() == other_info["episode"].keys()
                assert all(info["episode"].pop(key) == other_info["episode"].pop(key) for key in "rl")
                del info["episode"], other_info["episode"]  # the time is left
            assert set(info) == set(other_info)
            assert all(np.array_equal(info[key], other_info[key]) for key in info)
        ended += int(found[2].sum())
    assert ended > 0


def test_maskable_ppo_learns_and_is_evaluated_in_it() -> None:
    env = VecMonitor(PocketMarsVecEnv(TABLE_ID, 8, players=3, seed=1))
    judge = VecMonitor(PocketMarsVecEnv(TABLE_ID, 4, players=3, seed=2))
    assert is_masking_supported(env)
    model = learner(env, seed=1)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    callback = MaskableEvalCallback(judge, eval_freq=16, n_eval_episodes=4, verbose=0)
    model.learn(256, callback=callback)
    assert any((one != other).any() for one, other in zip(model.policy.parameters(), before))
    assert -1 <= callback.last_mean_reward <= 1
    judged: Any = evaluate_policy(model, judge, n_eval_episodes=6, return_episode_rewards=True)
    returns, lengths = judged
    assert set(np.round(returns, 3)) <= {1.0, -0.5, 0.25, 0.0}
    assert min(lengths) > 10


def test_sb3_logs_the_mean_return(capsys: pytest.CaptureFixture[str]) -> None:
    model = PPO(
        "MlpPolicy", PocketMarsVecEnv(SOLO_ID, 4, illegal="random"), n_steps=128, n_epochs=1, verbose=1
    )
    model.learn(1024)
    assert "ep_rew_mean" in capsys.readouterr().out


def test_vec_monitor_stores_the_results(tmp_path: Path) -> None:
    env = VecMonitor(
        PocketMarsVecEnv(TABLE_ID, 4, players=3, seed=1), str(tmp_path / "results"), info_keywords=RESULTS
    )
    env.reset()
    ended: list[Any] = []
    while len(ended) < 4:
        masks = np.array(get_action_masks(env))
        infos = env.step(masks.argmax(axis=1))[3]
        ended += [info["episode"] for info in infos if "episode" in info]
    for row in ended:
        assert len(row["scores"]) == 3
        assert row["won"] == (row["r"] > 0)
        assert row["termination"] == Termination.ALL_SETTLED
    env.close()


def test_the_learner_never_chooses_an_illegal_action() -> None:
    env: Any = PocketMarsVecEnv(SOLO_ID, 4, seed=1)
    model = learner(env, seed=1)
    observations = env.reset()
    for _ in range(200):
        actions, _ = model.predict(observations, action_masks=get_action_masks(env))
        observations, _, _, infos = env.step(actions)
        assert not any(info["illegal_action"] for info in infos)


def test_it_is_made_again_from_the_same_seed() -> None:
    def first_observations(seed: int | None) -> Any:
        return PocketMarsVecEnv(TABLE_ID, 4, seed=seed).reset()

    assert np.array_equal(first_observations(3), first_observations(3))
    assert not np.array_equal(first_observations(3), first_observations(4))
    assert not np.array_equal(first_observations(None), first_observations(None))


def test_what_sb3_asks_of_single_environments() -> None:
    env = PocketMarsVecEnv(SOLO_ID, 3)
    env.reset()
    assert env.get_attr("render_mode") == [None] * 3
    assert len(env.env_method("action_masks", indices=[0, 2])) == 2
    assert env.env_is_wrapped(VecMonitor) == [False] * 3  # type: ignore[arg-type]
    assert env.get_images() == [None] * 3
    assert not env.has_attr("unknown")
    with pytest.raises(AttributeError, match="no method 'jump'; there are 'action_masks' and 'render'"):
        env.env_method("jump")
    with pytest.raises(AttributeError, match="'level' cannot be set"):
        env.set_attr("level", "cyborg")
    env.close()


def test_all_tables_are_shown_in_one_picture() -> None:
    env = PocketMarsVecEnv(SOLO_ID, 2, seed=1, render_mode="rgb_array")
    env.reset()
    images = env.get_images()
    assert len(images) == 2
    for image, shown in zip(images, env.envs.render()):
        assert image is not None
        assert np.array_equal(image, shown)
    both = env.render()
    assert both is not None
    assert both.size == 2 * env.envs.render()[0].size
    env.close()


def test_a_text_of_each_table_is_rendered() -> None:
    env = PocketMarsVecEnv(SOLO_ID, 2, seed=1, render_mode="ansi")
    env.reset()
    env.render()
    assert env.env_method("render", indices=[1]) == [env.envs.render()[1]]
    env.close()


@pytest.mark.parametrize(
    ("name", "count", "settings", "message"),
    [
        (SOLO_ID, 0, {}, "num_envs must be an integer in 1.."),
        (TABLE_ID, 2, {"opponents": "nobody"}, "unknown agent 'nobody'"),
        (TABLE_ID, 2, {"seat": 7}, "seat must be in 0..1 or 'random', got 7"),
        (SOLO_ID, 2, {"level": "easy"}, "level must be one of"),
        (SOLO_ID, 2, {"seed": -1}, "seed must be None or an integer in 0..2"),
        (SOLO_ID, 2, {"seed": "a"}, "seed must be None or an integer in 0..2"),
        (
            "CartPole-v1",
            2,
            {},
            r"name must be one of 'pocketmars/Solo-v1', .* got 'CartPole-v1'",
        ),
    ],
)
def test_wrong_settings_are_named(name: str, count: int, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PocketMarsVecEnv(name, count, **settings)


@pytest.mark.parametrize("algorithm", Algorithm)
def test_the_example_without_masks_stores_its_result(algorithm: Algorithm, tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    for _ in range(2):
        train(algorithm, steps=64, games=4, out=out)
    first, second = map(json.loads, out.read_text().splitlines())
    assert first == second
    assert first["algorithm"] == algorithm
    assert 0 <= first["illegal_actions"] <= 1


@pytest.mark.parametrize("extractors", [True, False], ids=["shared", "separate"])
def test_an_exported_model_is_a_bot_that_plays_like_it(tmp_path: Path, extractors: bool) -> None:
    env: Any = PocketMarsVecEnv(TABLE_ID, COUNT, seed=1)
    model = learner(env, policy_kwargs={"share_features_extractor": extractors})
    export_onnx(model, path := tmp_path / "model.onnx")
    games = Games(40, players=2, seed=3)
    views = games.views(np.arange(40), games.to_play)
    played = choose_actions(make_agent(str(path)), views, np.zeros(40, dtype=np.uint64))
    expected, _ = model.predict(views.observations, action_masks=views.masks, deterministic=True)
    assert np.array_equal(played, expected)


def test_only_vectors_are_exported(tmp_path: Path) -> None:
    env: Any = PocketMarsVecEnv(TABLE_ID, COUNT, observation_dtype="uint8")
    with pytest.raises(ValueError, match="float32"):
        export_onnx(learner(env), tmp_path / "model.onnx")
