"""Baseline with double DQN and action masks; the learner plays one seat against a fixed opponent.

Unlike Stable-Baselines3's DQN, this implementation masks illegal actions, both when it selects an action to
play and when it selects the best next action for the target. Double DQN is from van Hasselt, Guez and Silver,
"Deep reinforcement learning with double Q-learning", AAAI 2016.
"""

import copy
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from torch import nn, optim
from torch.nn import functional

from pocketmars_env.envs.registration import vector_env_class
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_training.common.network import masked
from pocketmars_training.common.network_agent import NetworkAgent

from .recorder import Recorder
from .small.ppo import descend

SETTINGS: dict[str, Any] = {
    "n_envs": 64,
    "buffer_size": 200_000,
    "learning_starts": 10_000,
    "batch_size": 256,
    "train_freq": 16,  # decisions per gradient step
    "learning_rate": 3e-4,
    "gamma": 0.99,
    "tau": 0.005,
    "exploration_fraction": 0.2,
    "exploration_final_eps": 0.05,
    "max_grad_norm": 10.0,
    "net_arch": (256, 256),
}
REWARD_RANGE = {"win": 1.0, "margin": 20.0}
"""Divisor of the rewards for each value of the setting `reward`, chosen so that most returns are in -1..1."""


class Batch(NamedTuple):
    """A batch of transitions."""

    observations: torch.Tensor  # (n, OBSERVATION_SIZE) float32
    actions: torch.Tensor  # (n,) int64
    rewards: torch.Tensor  # (n,) float32
    dones: torch.Tensor  # (n,) bool
    next_observations: torch.Tensor  # (n, OBSERVATION_SIZE) float32; if done, from the next game
    next_masks: torch.Tensor  # (n, NUM_ACTIONS) bool; if done, from the next game


class Buffer:
    """A ring buffer of the latest decisions in all parallel games; observations are stored as uint8 counts.

    The capacity `size` is rounded down to a multiple of the number of environments.
    """

    def __init__(self, size: int, env: SeatVectorEnv) -> None:
        rows, count, spec = size // env.num_envs, env.num_envs, env.game_spec
        self._observations = np.zeros((rows, count, spec.observation_size), dtype=np.uint8)
        self._masks = np.zeros((rows, count, spec.num_actions), dtype=np.bool_)
        self._actions = np.zeros((rows, count), dtype=np.int64)
        self._rewards = np.zeros((rows, count), dtype=np.float32)
        self._dones = np.zeros((rows, count), dtype=np.bool_)
        self._scales = torch.tensor(spec.scales)
        self._added = 0

    def add(self, observations: Any, masks: Any, actions: Any, rewards: Any, dones: Any) -> None:
        """Add one decision from every game; consecutive calls must add consecutive decisions."""
        row = self._added % len(self._dones)
        self._observations[row], self._masks[row], self._actions[row] = observations, masks, actions
        self._rewards[row], self._dones[row] = rewards, dones
        self._added += 1

    def sample(self, count: int, rng: np.random.Generator) -> Batch:
        """Sample transitions other than the newest, whose next observations are not stored yet."""
        size = min(self._added, len(self._dones))
        rows = (self._added - 2 - rng.integers(size - 1, size=count)) % len(self._dones)
        games, following = rng.integers(self._dones.shape[1], size=count), (rows + 1) % len(self._dones)
        return Batch(
            self.scaled(self._observations[rows, games]),
            torch.from_numpy(self._actions[rows, games]),
            torch.from_numpy(self._rewards[rows, games]),
            torch.from_numpy(self._dones[rows, games]),
            self.scaled(self._observations[following, games]),
            torch.from_numpy(self._masks[following, games]),
        )

    def scaled(self, observations: NDArray[np.uint8]) -> torch.Tensor:
        """Convert uint8 counts to float32 observations."""
        return torch.from_numpy(observations).float() * self._scales


def q_network(inputs: int, actions: int, net_arch: tuple[int, ...]) -> nn.Sequential:
    """Create a network that maps observations to action values."""
    sizes = (inputs, *net_arch)
    hidden = [part for a, b in zip(sizes, net_arch) for part in (nn.Linear(a, b), nn.ReLU())]
    return nn.Sequential(*hidden, nn.Linear(sizes[-1], actions))


def train(recorder: Recorder) -> None:
    settings, matchup, spec = SETTINGS, recorder.task.training, recorder.task.game
    torch.manual_seed(recorder.seed)
    rng = np.random.default_rng(recorder.seed)
    env: SeatVectorEnv = vector_env_class(matchup.environment)(
        settings["n_envs"],
        autoreset_mode=AutoresetMode.SAME_STEP,
        observation_dtype="uint8",
        **matchup.settings,
    )
    divisor = REWARD_RANGE[env.reward]
    network = q_network(spec.observation_size, spec.num_actions, settings["net_arch"])
    target = copy.deepcopy(network)
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    buffer = Buffer(settings["buffer_size"], env)
    agent = NetworkAgent("masked_dqn", network)
    recorder.evaluate(0, agent)

    observations, infos = env.reset(seed=recorder.env_seed)
    steps = gradient_steps = 0
    while steps < recorder.total_steps:
        masks = infos["action_mask"]
        explored = steps / (settings["exploration_fraction"] * recorder.total_steps)
        epsilon = max(settings["exploration_final_eps"], 1 - explored)
        with torch.no_grad():
            values = masked(network(buffer.scaled(observations)), torch.from_numpy(masks != 0)).numpy()
        random = (rng.random(masks.shape) * masks).argmax(axis=1)
        actions = np.where(rng.random(len(masks)) < epsilon, random, values.argmax(axis=1))
        next_observations, rewards, terminations, truncations, infos = env.step(actions)
        buffer.add(observations, masks, actions, rewards / divisor, terminations | truncations)
        observations = next_observations
        steps += len(actions)
        while steps >= settings["learning_starts"] and gradient_steps * settings["train_freq"] < steps:
            learn(network, target, optimizer, buffer.sample(settings["batch_size"], rng))
            gradient_steps += 1
        if recorder.is_due(steps):
            recorder.evaluate(steps, agent)
    recorder.finish(steps, agent, settings)


def learn(network: nn.Module, target: nn.Module, optimizer: optim.Optimizer, batch: Batch) -> None:
    """Take one gradient step, then move the target network toward the trained network."""
    with torch.no_grad():
        best = masked(network(batch.next_observations), batch.next_masks).argmax(dim=1, keepdim=True)
        following = target(batch.next_observations).gather(1, best).squeeze(1)
        targets = batch.rewards + SETTINGS["gamma"] * following * ~batch.dones
    values = network(batch.observations).gather(1, batch.actions[:, None]).squeeze(1)
    descend(network, optimizer, functional.smooth_l1_loss(values, targets), SETTINGS)
    with torch.no_grad():
        for old, new in zip(target.parameters(), network.parameters()):
            old.lerp_(new, SETTINGS["tau"])
