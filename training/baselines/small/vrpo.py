"""Variance-reduced policy optimization (VRPO; Fan and Farina, 2026, arXiv 2605.19235), in self-play.

PPO's update with another advantage estimator: a centralized critic, which sees what both seats see, estimates
the value of each action, and Expected SARSA(λ) averages over the policy instead of following the sampled
actions.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import optim

from .learning_game import Games, Integers, LearningGame, minibatches
from .ppo import clipped_loss, descend, normalized

SETTINGS: dict[str, Any] = {
    "games": 512,
    "batch_size": 512,
    "n_epochs": 8,
    "learning_rate": 1e-3,
    "critic_learning_rate": 3e-3,
    "sarsa_lambda": 0.5,
    "clip_range": 0.05,
    "ent_coef": 0.05,
    "max_grad_norm": 0.5,
    "hidden": 64,
}


def train(game: LearningGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions = np.random.default_rng(seed), 0
    network = game.network(game.num_actions, settings["hidden"])
    critic = game.network(game.num_actions, settings["hidden"], 2 * game.num_inputs)
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    critic_optimizer = optim.Adam(critic.parameters(), lr=settings["critic_learning_rate"])
    policy = game.policy(network)

    def seen(games: Games, rows: Integers) -> torch.Tensor:
        own = game.observations[torch.from_numpy(games.infosets[rows])]
        return torch.cat([own, game.other_observations[torch.from_numpy(games.nodes[rows])].float()], dim=1)

    while True:
        yield decisions, lambda: game.strategy(policy)
        games = game.play(policy, settings["games"], rng)
        every = np.arange(len(games))
        with torch.no_grad():
            values = critic(seen(games, every)).numpy()
        targets, advantages = expected_sarsa(games, values, settings["sarsa_lambda"])
        advantages = normalized(advantages, every)
        for batch in minibatches(len(games), settings["batch_size"], settings["n_epochs"], rng):
            logits = game.outputs(network, games.infosets[batch])
            descend(network, optimizer, clipped_loss(logits, games, batch, advantages, settings), settings)
            chosen = critic(seen(games, batch))[
                torch.arange(len(batch)), torch.from_numpy(games.actions[batch])
            ]
            errors = chosen - torch.from_numpy(targets[batch])
            descend(critic, critic_optimizer, errors.square().mean(), settings)
        decisions += len(games)


def expected_sarsa(
    games: Games, values: NDArray[np.float32], sarsa_lambda: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return Expected SARSA(λ) targets and advantages, for the seat to play.

    `values`, ``(n, num_actions)``, are estimates of the values of the actions for the seat to play. From one
    decision to the next, whoever plays it, the target is the mean value under the policy plus λ times the
    difference of the target and the value of the action played.
    """
    means = (games.probabilities * values).sum(axis=1)
    chosen = values[np.arange(len(games)), games.actions]
    targets, following = np.empty_like(means), games.utilities[:, 0].copy()  # following: for seat 0
    for step in reversed(games.steps):
        place, signs = games.games[step], np.float32(1) - 2 * games.seats[step].astype(np.float32)
        targets[step] = signs * following[place]
        following[place] = signs * (means[step] + sarsa_lambda * (targets[step] - chosen[step]))
    return targets, targets - means
