"""Baselines that need libraries outside the development environment."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

from pocketmars_agents import make_agent
from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import Plan, play_and_record, record
from pocketmars_env.games.pocket_mars.ids import TABLE_ID
from pocketmars_env.games.project_mars.config import DuelConfig
from pocketmars_training.common.evaluation import evaluate

# These libraries use features that they deprecate themselves, so their warnings must not fail the tests.
pytestmark = pytest.mark.filterwarnings("default")


def test_recorded_games_become_a_dataset_of_d3rlpy_without_masks(tmp_path: Path) -> None:
    pytest.importorskip("d3rlpy")
    import minari

    from baselines.d3rlpy_dataset import DroppedMasks, d3rlpy_dataset

    plan = Plan(
        bots=("random", "random"), config=DuelConfig(mode="same"), games=3, seed=1, observation_dtype="uint8"
    )
    list(record(plan, tmp_path, hire_processes(1, play_and_record), format="minari"))
    with pytest.warns(DroppedMasks):
        dataset = d3rlpy_dataset(tmp_path / plan.dataset_id)
    recorded = list(minari.MinariDataset(tmp_path / plan.dataset_id / "data").iterate_episodes())
    assert len(dataset.episodes) == len(recorded) == 6
    assert dataset.dataset_info.action_size == plan.spec.num_actions
    for found, one in zip(dataset.episodes, recorded, strict=True):
        np.testing.assert_array_equal(found.observations, one.observations[:-1])
        np.testing.assert_array_equal(found.actions[:, 0], one.actions)
        np.testing.assert_array_equal(found.rewards[:, 0], one.rewards.astype(np.float32))
        assert found.terminated


@pytest.mark.parametrize("algorithm", ["behavior_cloning", "discrete_cql"])
def test_offline_algorithms_learn_from_recorded_games(
    algorithm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("d3rlpy")
    import importlib

    from baselines import offline
    from baselines.algorithms import TASKS
    from baselines.policies import policy_path
    from baselines.recorder import Recorder
    from baselines.results import read_all

    monkeypatch.setattr(offline, "GAMES", 30)
    module = importlib.import_module(f"baselines.{algorithm}")
    policies = tmp_path / "policies"
    module.train(
        Recorder(algorithm, TASKS["duel"], 1, 20, "gradient steps", tmp_path / "runs", (10, 10, 2), policies)
    )
    (found,) = read_all(tmp_path / "runs")
    agent = make_agent(str(policy_path(policies, algorithm, "duel", 20, 1)))
    matchup = TASKS["duel"].matchups[0]
    assert evaluate(agent, matchup, 10).win_share == found.final[matchup.name]
    assert [point.steps for point in found.curve] == list(range(0, 21, 2))
    assert found.settings["games"] == 30
    assert "d3rlpy" in found.versions


def test_benchmarl_plays_a_game() -> None:
    pytest.importorskip("benchmarl")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # TorchRL uses features that it deprecates itself
        from baselines.benchmarl_task import SeatsTask
    task = SeatsTask.PROJECT_MARS.get_task({"mode": "same"})
    env = task.get_env_fun(1, continuous_actions=False, seed=1, device="cpu")()
    game = env.rollout(task.max_steps(env))
    assert game["next", "done"][-1].all()
    assert game["next", "seats", "reward"][-1].sum() == 0
    masks, actions = game["seats", "action_mask"], game["seats", "action"]
    if actions.shape == masks.shape:  # one-hot
        assert (actions.bool() & ~masks).sum() == 0
    specs = task.observation_spec(env), task.action_mask_spec(env)
    assert [set(spec.keys(True, True)) for spec in specs] == [
        {("seats", "observation")},
        {("seats", "action_mask")},
    ]


def test_the_zoo_trains_with_our_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("rl_zoo3")
    from baselines import rl_zoo

    words = ["rl_zoo", "--algo", "ppo_mask", "--env", TABLE_ID, "--eval-freq", "-1", "-f", str(tmp_path)]
    words += ["-n", "32", "--num-threads", "1", "-params", "n_envs:2", "n_steps:8", "batch_size:8"]
    (tmp_path / "other_environments.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", [*words, "--gym-packages", "other_environments"])
    rl_zoo.main()
    assert list(tmp_path.glob("ppo_mask/*/*.zip"))
    assert "other_environments" in sys.modules
