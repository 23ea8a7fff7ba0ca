"""RLlib plays the game and trains on it."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_env import pocketmars_v1
from tests.modes import MODES

pytest.importorskip("ray.rllib", exc_type=ImportError)

from ray.rllib.algorithms.ppo import PPO

from examples import rllib_ppo
from pocketmars_env.adapters.rllib import MultiAgentGame

# Warnings from Ray itself: deprecated names that it uses, announced changes, files and sockets left open.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    # Ray registers all multi-agent environments under one name.
    pytest.mark.filterwarnings("ignore:.*Overriding environment rllib-multi-agent-env"),
]

SEED = 5


def legal_action(observation: dict[str, Any], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


@pytest.mark.parametrize("mode", MODES)
def test_a_whole_game_in_every_mode(mode: str) -> None:
    env = MultiAgentGame(MODES[mode])
    rng = np.random.default_rng(SEED)
    observations, _ = env.reset(seed=SEED)
    over = False
    while not over:
        (agent,) = observations
        assert env.observation_space[agent].contains(observations[agent])
        action = legal_action(observations[agent], rng)
        observations, rewards, terminations, truncations, _ = env.step({agent: action})
        over = terminations["__all__"] or truncations["__all__"]
    assert set(observations) == set(rewards) == set(env.possible_agents)
    assert all(terminations.values())
    assert not any(truncations.values())
    assert {rewards[agent] for agent in rewards} & {1.0, -1.0}
    if len(rewards) > 1:
        assert sum(rewards.values()) == pytest.approx(0.0)


def test_the_observations_are_pettingzoos_by_another_name() -> None:
    env, twin = MultiAgentGame({"players": 3}), pocketmars_v1.env(players=3)
    assert env.possible_agents == twin.possible_agents
    observations, _ = env.reset(seed=SEED)
    twin.reset(seed=SEED)
    expected = twin.observe(twin.agent_selection)
    (found,) = observations.values()
    assert list(observations) == [twin.agent_selection]
    assert set(found) == {"observations", "action_mask"}
    np.testing.assert_array_equal(found["observations"], expected["observation"])
    np.testing.assert_array_equal(found["action_mask"], expected["action_mask"])


def test_the_same_seed_gives_the_same_game() -> None:
    env = MultiAgentGame({"players": 2})
    first, again, other = (env.reset(seed=seed)[0] for seed in (SEED, SEED, SEED + 1))
    (one,), (two,), (three,) = first.values(), again.values(), other.values()
    np.testing.assert_array_equal(one["observations"], two["observations"])
    assert (one["observations"] != three["observations"]).any()


def test_a_wrong_setting_is_named() -> None:
    with pytest.raises(ValueError, match="players"):
        MultiAgentGame({"players": 5})


def test_its_wrapper_for_open_spiel_plays_on_after_illegal_actions() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pytest.importorskip("pocketmars_env.adapters.open_spiel")
    from ray.rllib.env.wrappers.open_spiel import OpenSpielEnv

    env = OpenSpielEnv(pyspiel.load_game("python_pocket_mars(players=3,round_limit=2)"))
    np.random.seed(SEED)  # noqa: NPY002  # the wrapper uses NumPy's global generator
    rng = np.random.default_rng(SEED)
    observations, _ = env.reset()
    penalties, over = 0, False
    while not over:
        ((player, observation),) = observations.items()
        assert env.observation_space[player].contains(observation)
        action = int(rng.integers(env.action_space[player].n))  # rarely legal
        observations, rewards, terminations, _, _ = env.step({player: action})
        over = terminations["__all__"]
        penalties += not over and rewards[player] < 0
    assert penalties > 10
    assert sum(rewards.values()) == pytest.approx(0.0, abs=0.2)


@pytest.mark.parametrize(("game", "players"), [("pocket_mars", 3), ("project_mars", 2)])
def test_the_example_learns_for_an_iteration(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], game: str, players: int
) -> None:
    weights: list[dict[str, Any]] = []
    train = PPO.train

    def watched(algorithm: PPO) -> Any:
        weights.append(algorithm.get_weights()["learner"])
        results = train(algorithm)
        weights.append(algorithm.get_weights()["learner"])
        return results

    monkeypatch.setattr(PPO, "train", watched)
    rllib_ppo.train(iterations=1, players=players, game=game)
    printed, errors = capfd.readouterr()
    assert re.search(r"^iteration 1: mean return [+-]\d\.\d+, \d+ games finished$", printed, re.M)
    assert "Illegal" not in printed + errors
    before, after = weights
    assert any((before[name] != after[name]).any() for name in before)


ENVIRONMENT = re.compile(r"env=ActionMaskEnv,\s*env_config=\{.*?\n            \},", re.DOTALL)


@pytest.mark.parametrize("name", ["pocketmars/Solo-v1", "pocketmars/Table-v1"])
def test_rllibs_own_example_of_action_masks_runs_with_another_environment(name: str, tmp_path: Path) -> None:
    from ray.rllib.examples.rl_modules import action_masking_rl_module

    config = {
        "action_mask": "observation",
        "observation_keys": ("observations", "action_mask"),
        "illegal": "raise",
    }
    source, changes = ENVIRONMENT.subn(
        f'env="pocketmars_env:{name}", env_config={config},', inspect.getsource(action_masking_rl_module)
    )
    assert changes == 1
    script = tmp_path / "action_masking.py"
    script.write_text(source)
    arguments = ["--no-tune", "--stop-iters=1", "--num-env-runners=0", "--stop-reward=1000"]
    done = subprocess.run(
        [sys.executable, script, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert re.search(r"R=-?\d", done.stdout), done.stdout
