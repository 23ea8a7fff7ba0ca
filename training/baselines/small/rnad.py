"""Regularized Nash dynamics (R-NaD; Perolat et al., 2022, arXiv 2206.15378), in self-play.

Rewards are transformed: each seat pays for the log-ratio of its policy to a reference policy, and the other
seat receives it. The reference policy is replaced with the current one at regular intervals. The logits
follow neural replicator dynamics (NeuRD). Games are on-policy, so GAE takes the place of V-trace.
"""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torch import optim

from .learning_game import LearningGame, minibatches
from .ppo import descend

SETTINGS: dict[str, Any] = {
    "games": 128,
    "batch_size": 128,
    "learning_rate": 3e-3,
    "gae_lambda": 0.95,
    "eta": 0.2,
    "reference_every": 100,  # iterations
    "largest_gain": 5.0,
    "largest_logit": 3.0,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "hidden": 64,
}


def train(game: LearningGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions, iteration = np.random.default_rng(seed), 0, 0
    network = game.network(game.num_actions + 1, settings["hidden"])
    reference = copy.deepcopy(network)
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    policy = game.policy(network)
    while True:
        yield decisions, lambda: game.strategy(policy)
        games = game.play(policy, settings["games"], rng)
        every, actions = np.arange(len(games)), games.actions
        with torch.no_grad():
            old = game.outputs(network, games.infosets)
            values = old[:, -1].numpy()
            kept = game.outputs(reference, games.infosets)[:, :-1].log_softmax(dim=1)
            costs = (settings["eta"] * (old[:, :-1].log_softmax(dim=1) - kept)).numpy()
        paid = costs[every, actions]
        advantages = games.advantages(values, settings["gae_lambda"], -paid)
        gains = -costs
        gains[every, actions] += (advantages + paid) / games.probabilities[every, actions]
        gains -= (games.probabilities * gains).sum(axis=1, keepdims=True)
        gains = gains.clip(-settings["largest_gain"], settings["largest_gain"])
        returns = torch.from_numpy(advantages + values)
        for batch in minibatches(len(games), settings["batch_size"], 1, rng):
            outputs = game.outputs(network, games.infosets[batch])
            legal = game.masks[torch.from_numpy(games.infosets[batch])]
            logits = outputs[:, :-1].where(legal, 0)
            logits = logits - logits.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
            gain = torch.from_numpy(gains[batch])
            grows = (logits * gain.sign()).detach() < settings["largest_logit"]
            errors = outputs[:, -1] - returns[batch]
            loss = settings["vf_coef"] * errors.square().mean()
            loss = loss - (logits * gain * (grows & legal)).sum(dim=1).mean()
            descend(network, optimizer, loss, settings)
        decisions += len(games)
        iteration += 1
        if iteration % settings["reference_every"] == 0:
            reference = copy.deepcopy(network)
