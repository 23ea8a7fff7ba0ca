"""Imitation of a bot."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents import make_agent
from pocketmars_env import NUM_ACTIONS, Games, Views
from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.games.pocket_mars.ids import TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import imitation
from pocketmars_training.common.imitation import Progress, Samples, imitate, inputs_of
from pocketmars_training.common.joined_vec_env import JoinedVecEnv
from pocketmars_training.common.maskable_ppo import network_of, new_model
from pocketmars_training.common.network import Network, masked
from pocketmars_training.common.settings import MaskablePpoSettings
from pocketmars_training.solo import SoloSettings
from tests.training.tiny import solo_env, tiny


def returns_of(dones: Any, rewards: Any) -> list[float]:
    """Compute the return of every decision one game at a time, and order the returns as collected."""
    steps, games = dones.shape
    found = np.full((steps, games), np.nan)
    for game in range(games):
        waiting: list[int] = []
        for step in range(steps):
            waiting.append(step)
            if dones[step, game]:
                for one in waiting:
                    found[one, game] = rewards[step, game]
                waiting = []
    flat: list[float] = found.reshape(-1).tolist()
    return flat


@pytest.mark.parametrize("seed", range(20))
def test_a_reward_is_given_to_the_rows_of_its_game_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    steps, games = int(rng.integers(1, 40)), int(rng.integers(1, 9))
    dones = rng.random((steps, games)) < rng.choice([0.0, 0.1, 0.5, 1.0])
    rewards = np.where(dones, rng.choice([-1.0, 0.25, 1.0], size=dones.shape), 0).astype(np.float32)
    samples = Samples(SPEC, steps * games, games, np.dtype(np.uint8))
    for step in range(steps):
        samples.add(0, True, np.zeros((games, NUM_ACTIONS)))
        samples.end_games(dones[step], rewards[step])
    np.testing.assert_array_equal(samples.returns, returns_of(dones, rewards))
    assert np.isnan(samples.returns).sum() == sum(map(np.isnan, returns_of(dones, rewards)))


class Recorded(JoinedVecEnv):
    """Stores the last observations, and all rewards and dones, that `step_wait` returned."""

    def __init__(self, *parts: PocketMarsVecEnv) -> None:
        super().__init__(parts)
        self.observations: Any = None
        self.dones: list[Any] = []
        self.rewards: list[Any] = []

    def step_wait(self) -> Any:
        found = super().step_wait()
        self.observations = found[0]
        self.rewards.append(found[1])
        self.dones.append(found[2])
        return found


def test_samples_are_those_of_the_games(tmp_path: Path) -> None:
    env = Recorded(
        PocketMarsVecEnv(TABLE_ID, 3, players=2, seed=1), PocketMarsVecEnv(TABLE_ID, 2, players=4, seed=1)
    )
    settings = tiny(MaskablePpoSettings, tmp_path, n_envs=5)
    network = network_of(new_model(env, settings))
    inputs = inputs_of(env, network)
    samples, seen = Samples(SPEC, 400, 5, inputs.dtype), env.reset()
    rng, teacher = np.random.default_rng(1), make_agent("greedy:1")
    for _ in range(80):
        masks = np.stack(env.env_method("action_masks"))
        imitation.collect(network, inputs, env, teacher, samples, 0.5, rng)
        rows = slice(samples.size - 5, samples.size)
        assert np.array_equal(inputs.of(torch.from_numpy(samples.observations[rows])).numpy(), seen)
        seen = env.observations
        assert np.array_equal(samples.masks[rows], masks)
        assert (samples.preferences[rows][~masks] == 0).all()
        assert samples.preferences[rows].sum(axis=1) == pytest.approx(1.0, abs=0.01)
    np.testing.assert_array_equal(samples.returns, returns_of(np.array(env.dones), np.array(env.rewards)))
    unfinished = np.isnan(samples.returns).sum()
    assert 5 <= unfinished < 400


@pytest.mark.parametrize("name", ["greedy:2", "planner:1", "ismcts:20", "random"])
def test_a_teacher_prefers_what_it_answers(name: str) -> None:
    games = Games(12, players=2, seed=3)
    for _ in range(30):
        games.step(games.random_actions(), ~games.over)
    going = np.flatnonzero(~games.over)
    views = Views(SPEC, games.states, going, games.to_play[going])
    seeds, teacher = np.arange(len(going), dtype=np.uint64), make_agent(name)
    preferred = imitation.preferences_of(teacher, views, seeds)
    assert preferred.sum(axis=1) == pytest.approx(1.0, abs=1e-5)
    assert (preferred[views.masks == 0] == 0).all()
    found = choose_actions(teacher, views, seeds)
    # several equally good actions share the highest preference
    assert (preferred[np.arange(len(going)), found] == preferred.max(axis=1)).all()


def agreement(network: Network, seed: int) -> float:
    """Return how often the network's most probable action is that of greedy:1, in new games."""
    env = JoinedVecEnv([PocketMarsVecEnv("pocketmars/Solo-v1", 64, seed=seed)])
    inputs, rng = inputs_of(env, network), np.random.default_rng(seed)
    samples = Samples(SPEC, 64 * 40, 64, inputs.dtype)
    env.reset()
    for _ in range(40):
        imitation.collect(network, inputs, env, make_agent("greedy:1"), samples, 0.3, rng)
    with torch.no_grad():
        logits = network(inputs.of(torch.from_numpy(samples.observations)))[0]
        chosen = masked(logits, torch.from_numpy(samples.masks)).argmax(dim=1).numpy()
    return float((chosen == samples.preferences.argmax(axis=1)).mean())


@pytest.mark.slow
def test_the_network_learns_to_answer_as_the_teacher(tmp_path: Path) -> None:
    settings = tiny(
        SoloSettings,
        tmp_path,
        n_envs=64,
        imitation_timesteps=16_000,
        total_timesteps=32_000,
        net_arch=(64, 64),
        level="standard",
    )
    env = solo_env(settings)
    network = network_of(new_model(env, settings))
    before = agreement(network, seed=1_000)
    made: list[int] = []
    rounds = list(imitate(network, env, settings, made.append, Progress(settings.imitation_decisions)))
    after = agreement(network, seed=1_000)
    assert after > before + 0.2
    assert sum(made) == settings.imitation_decisions == 16_000
    assert len(rounds) == imitation.ROUNDS
    assert rounds[-1].loss < rounds[0].loss
    assert abs(rounds[-1].agreement - after) < 0.15


def test_the_value_learns_how_games_end(tmp_path: Path) -> None:
    settings = tiny(
        SoloSettings, tmp_path, n_envs=64, imitation_timesteps=8_000, total_timesteps=32_000, level="standard"
    )
    env = solo_env(settings)
    network = network_of(new_model(env, settings))
    inputs, rng = inputs_of(env, network), np.random.default_rng(1)
    samples = Samples(SPEC, 64 * 80, 64, inputs.dtype)
    env.reset()
    for _ in range(80):
        imitation.collect(network, inputs, env, make_agent("greedy:1"), samples, 1.0, rng)
    known = ~np.isnan(samples.returns)
    seen = inputs.of(torch.from_numpy(samples.observations[known]))

    def error() -> float:
        with torch.no_grad():
            return float(((network(seen)[1].numpy() - samples.returns[known]) ** 2).mean())

    before, optimizer = error(), torch.optim.Adam(network.parameters(), lr=imitation.LEARNING_RATE)
    for _ in range(8):
        imitation.train_epoch(network, inputs, optimizer, samples, rng)
    assert error() < before / 2
    assert set(np.unique(samples.returns[known])) == {-1.0, 1.0}


def test_samples_of_a_file_are_those_that_were_kept() -> None:
    rng = np.random.default_rng(1)
    samples, found = (Samples(SPEC, 12, 3, np.dtype(np.uint8)) for _ in range(2))
    for _ in range(4):
        masks = rng.random((3, NUM_ACTIONS)) < 0.3
        samples.add(rng.integers(0, 9, (3, SPEC.observation_size)), masks, rng.random(masks.shape) * masks)
        samples.end_games(rng.random(3) < 0.5, np.ones(3, np.float32))
    found.add_rows({name: column[:0] for name, column in samples.rows(0).items()})
    found.add_rows(samples.rows(0))
    for name in ("observations", "masks", "preferences", "returns"):
        np.testing.assert_array_equal(getattr(found, name), getattr(samples, name))


def test_a_sample_takes_2_2_kilobytes() -> None:
    samples = Samples(SPEC, 1_000, 10, np.dtype(np.uint8))
    kept = (samples.observations, samples.masks, samples.preferences, samples.returns)
    assert 2_150 < sum(array.nbytes for array in kept) / 1_000 < 2_250
