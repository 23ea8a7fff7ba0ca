"""Magnetic mirror descent (MMD; Sokota et al., 2022, arXiv 2206.05825), in self-play.

The policy is pulled toward the uniform policy (the magnet) with weight `temperature`, and each update stays
close to the policy that was played. Both weights follow the schedules of the paper: the temperature falls and
the proximity rises with the square root of the number of iterations.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import optim

from .learning_game import LearningGame, minibatches
from .ppo import descend

SETTINGS: dict[str, Any] = {
    "games": 512,
    "batch_size": 512,
    "n_epochs": 8,
    "learning_rate": 1e-3,
    "gae_lambda": 0.95,
    "temperature": 0.5,
    "proximity": 0.05,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "hidden": 64,
}


def train(game: LearningGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions, iteration = np.random.default_rng(seed), 0, 0
    network = game.network(game.num_actions + 1, settings["hidden"])
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    policy = game.policy(network)
    while True:
        yield decisions, lambda: game.strategy(policy)
        games = game.play(policy, settings["games"], rng)
        iteration += 1
        temperature = settings["temperature"] / iteration**0.5
        proximity = settings["proximity"] * iteration**0.5
        with torch.no_grad():
            values = game.outputs(network, games.infosets)[:, -1].numpy()
        advantages = games.advantages(values, settings["gae_lambda"])
        returns = torch.from_numpy(advantages + values)
        gains, actions = torch.from_numpy(advantages), torch.from_numpy(games.actions)
        played = torch.from_numpy(games.probabilities)
        for batch in minibatches(len(games), settings["batch_size"], settings["n_epochs"], rng):
            outputs = game.outputs(network, games.infosets[batch])
            log_probs, old = outputs[:, :-1].log_softmax(dim=1), played[batch]
            probabilities, rows = log_probs.exp(), torch.arange(len(batch))
            ratios = probabilities[rows, actions[batch]] / old[rows, actions[batch]]
            entropies = -(probabilities * log_probs).sum(dim=1)
            divergences = (probabilities * (log_probs - old.clamp(min=1e-8).log())).sum(dim=1)
            objective = ratios * gains[batch] + temperature * entropies - proximity * divergences
            errors = outputs[:, -1] - returns[batch]
            loss = settings["vf_coef"] * errors.square().mean() - objective.mean()
            descend(network, optimizer, loss, settings)
        decisions += len(games)
