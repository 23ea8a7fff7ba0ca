"""Single deep CFR (Steinberger, 2019, arXiv 1901.07621; after Brown et al., 2019, arXiv 1811.00164).

External sampling: for one seat, all actions are traversed; for the other one, an action is sampled. A network
per seat, trained from scratch in each iteration, predicts the average regrets, and regret matching turns them
into a policy. The strategy is the average over iterations (linear CFR), computed exactly from the networks.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn, optim

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.game_tree import Floats

from .learning_game import Integers, Policy, sampled
from .ppo import descend
from .reservoir import Reservoir
from .small_game import SmallGame, outcome

SETTINGS: dict[str, Any] = {
    "decisions_per_traversal": 15_000,
    "reservoir_buffer_capacity": 500_000,
    "gradient_steps": 300,
    "batch_size": 1024,
    "learning_rate": 5e-3,
    "max_grad_norm": 1.0,
    "hidden": 64,
}


def train(game: SmallGame, seed: int, settings: dict[str, Any]) -> Iterator[tuple[int, Callable[[], Floats]]]:
    """Yield the number of decisions after each iteration, and a function that returns the strategy."""
    torch.manual_seed(seed)
    rng, decisions, iteration = np.random.default_rng(seed), 0, 0
    memories = [Reservoir(settings["reservoir_buffer_capacity"], rng) for _ in range(2)]
    networks = [game.network(game.num_actions, settings["hidden"]) for _ in range(2)]
    sums = np.zeros(game.tree.num_slots)
    policy = regret_matching(game, networks)
    while True:
        yield decisions, lambda: game.tree.normalized(sums)
        iteration += 1
        for seat in range(2):
            end = decisions + settings["decisions_per_traversal"]
            while decisions < end:
                visited, infosets, regrets = traverse(game, policy, seat, rng)
                weights = np.full((len(infosets), 1), iteration)
                memories[seat].add(np.hstack([infosets[:, None], weights, regrets]).astype(np.float32))
                decisions += visited
            networks[seat] = fitted(game, memories[seat], settings)
            policy = regret_matching(game, networks)
            strategy = game.strategy(policy)
            reach = game.tree.reach(strategy)
            tree_kernels.add_to_average(game.tree.tree, seat, float(iteration), strategy, reach, sums)


def traverse(
    game: SmallGame, policy: Policy, seat: int, rng: np.random.Generator, count: int = 64
) -> tuple[int, Integers, NDArray[np.float32]]:
    """Traverse random deals; return the number of decisions, the seat's information sets, and regrets."""
    tree = game.tree
    nodes = tree.deals[rng.integers(tree.num_deals, size=count)]
    layers, visited = [], 0
    while len(nodes):
        infosets = tree.tree.infosets[nodes].astype(np.int64)
        probabilities = policy(infosets, infosets)
        is_own = game.seats[infosets] == seat
        chosen = np.zeros(probabilities.shape, dtype=np.bool_)
        chosen[np.arange(len(nodes)), sampled(probabilities, rng)] = True
        followed = np.where(is_own[:, None], game.masks[torch.from_numpy(infosets)].numpy(), chosen)
        layers.append((infosets, probabilities, is_own, followed, game.children[nodes]))
        visited += len(nodes)
        children = game.children[nodes][followed]
        nodes = children[children >= 0].astype(np.int64)
    found_infosets, found_regrets = [], []
    below: NDArray[np.float32] = np.empty(0, dtype=np.float32)  # the values of the next layer's nodes
    for infosets, probabilities, is_own, followed, children in reversed(layers):
        values = np.zeros(followed.shape, dtype=np.float32)
        values[followed & (children < 0)] = outcome(children[followed & (children < 0)]) * (1 - 2 * seat)
        values[followed & (children >= 0)] = below
        means = (values * np.where(is_own[:, None], probabilities, followed)).sum(axis=1)
        found_infosets.append(infosets[is_own])
        found_regrets.append(((values - means[:, None]) * followed)[is_own])
        below = means
    return visited, np.concatenate(found_infosets), np.concatenate(found_regrets)


def fitted(game: SmallGame, memory: Reservoir, settings: dict[str, Any]) -> nn.Sequential:
    """Train a new network to predict the regrets, weighted by iteration."""
    network = game.network(game.num_actions, settings["hidden"])
    optimizer = optim.Adam(network.parameters(), lr=settings["learning_rate"])
    largest = memory.rows[:, 1].max()
    for step in range(settings["gradient_steps"]):
        optimizer.param_groups[0]["lr"] = settings["learning_rate"] * (1 - step / settings["gradient_steps"])
        batch = torch.from_numpy(memory.sample(settings["batch_size"]))
        infosets = batch[:, 0].long()
        errors = (network(game.observations[infosets]) - batch[:, 2:]) * game.masks[infosets]
        descend(network, optimizer, (batch[:, 1] / largest * errors.square().sum(dim=1)).mean(), settings)
    return network


def regret_matching(game: SmallGame, networks: Sequence[nn.Module]) -> Policy:
    """Return the policy proportional to the positive regrets; if there are none, the largest regret."""
    first, second = networks

    def policy(infosets: Integers, _: Integers) -> NDArray[np.float32]:
        with torch.no_grad():
            is_first = torch.from_numpy(game.seats[infosets] == 0)[:, None]
            regrets = game.outputs(first, infosets).where(is_first, game.outputs(second, infosets))
            best = torch.zeros_like(regrets).scatter_(1, regrets.argmax(dim=1, keepdim=True), 1)
            positive = regrets.clamp(min=0)
            totals = positive.sum(dim=1, keepdim=True)
            probabilities: NDArray[np.float32] = (positive / totals).where(totals > 0, best).numpy()
        return probabilities

    return policy
