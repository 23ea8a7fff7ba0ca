"""Self-play PPO (Schulman et al., 2017): one network plays and learns in both seats.

With a high entropy coefficient and a narrow clip range, PPO is one of the strongest algorithms in Rudolph et
al., "Reevaluating policy gradient methods for imperfect-information games", 2025 (arXiv 2502.08938).
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn, optim

from .learning_game import Games, Integers, LearningGame, minibatches

SETTINGS: dict[str, Any] = {
    "games": 512,
    "batch_size": 512,
    "n_epochs": 4,
    "learning_rate": 1e-3,
    "gae_lambda": 0.95,
    "clip_range": 0.2,
    "ent_coef": 0.01,
    "vf_coef": 0.5,
    "max_grad_norm": 0.5,
    "hidden": 64,
}


def train(game: LearningGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Any]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions = np.random.default_rng(seed), 0
    network = game.network(game.num_actions + 1, settings["hidden"])
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    policy = game.policy(network)
    while True:
        yield decisions, lambda: game.strategy(policy)
        games = game.play(policy, settings["games"], rng)
        update(game, network, optimizer, games, np.arange(len(games)), settings, rng)
        decisions += len(games)


def update(
    game: LearningGame,
    network: nn.Module,
    optimizer: optim.Optimizer,
    games: Games,
    learned: Integers,
    settings: dict[str, Any],
    rng: np.random.Generator,
) -> None:
    """Train the network on the decisions with the numbers `learned`."""
    with torch.no_grad():
        values = game.outputs(network, games.infosets)[:, -1].numpy()
    advantages = games.advantages(values, settings["gae_lambda"])
    returns, advantages = advantages + values, normalized(advantages, learned)
    for batch in minibatches(len(learned), settings["batch_size"], settings["n_epochs"], rng):
        rows = learned[batch]
        outputs = game.outputs(network, games.infosets[rows])
        loss = clipped_loss(outputs[:, :-1], games, rows, advantages, settings)
        errors = outputs[:, -1] - torch.from_numpy(returns[rows])
        descend(network, optimizer, loss + settings["vf_coef"] * errors.square().mean(), settings)


def normalized(advantages: NDArray[np.float32], learned: Integers) -> NDArray[np.float32]:
    chosen = advantages[learned]
    scaled: NDArray[np.float32] = (advantages - chosen.mean()) / (chosen.std() + 1e-8)
    return scaled


def clipped_loss(
    logits: torch.Tensor,
    games: Games,
    rows: Integers,
    advantages: NDArray[np.float32],
    settings: dict[str, Any],
) -> torch.Tensor:
    """Return PPO's clipped loss, minus the entropy bonus."""
    log_probs, actions = logits.log_softmax(dim=1), games.actions[rows]
    chosen = log_probs[torch.arange(len(rows)), torch.from_numpy(actions)]
    ratios = chosen.exp() / torch.from_numpy(games.probabilities[rows, actions])
    gains, clip = torch.from_numpy(advantages[rows]), settings["clip_range"]
    surrogate = torch.minimum(ratios * gains, ratios.clamp(1 - clip, 1 + clip) * gains)
    entropies = -(log_probs.exp() * log_probs).sum(dim=1)
    loss: torch.Tensor = -(surrogate + settings["ent_coef"] * entropies).mean()
    return loss


def descend(
    network: nn.Module, optimizer: optim.Optimizer, loss: torch.Tensor, settings: dict[str, Any]
) -> None:
    """Take one gradient step."""
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]  # untyped in PyTorch
    nn.utils.clip_grad_norm_(network.parameters(), settings["max_grad_norm"])
    optimizer.step()
