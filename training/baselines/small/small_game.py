"""A small game for learning algorithms: games are played on its tree, and observations are looked up."""

import itertools
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents.exact.game_tree import Floats, new_stack, traversal_of, tree_of
from pocketmars_agents.exact.strategies import BATCH, batches, small_config
from pocketmars_agents.exact.tree_kernels import LOSS
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Views
from pocketmars_training.common.network import masked

Integers = NDArray[np.int64]
Policy = Callable[[Integers, Integers], NDArray[np.float32]]
"""Returns the probabilities ``(n, num_actions)`` in information sets ``(n,)`` of the games with the given
numbers ``(n,)``."""


class Games(NamedTuple):
    """Finished games, as flat arrays of all decisions: first the first decision of each game, and so on."""

    steps: list[slice]  # the first decisions of all games, the second decisions, ...
    games: Integers  # (n,) the number of the game
    nodes: Integers  # (n,) the node in the tree
    infosets: Integers  # (n,) the information set
    seats: Integers  # (n,) the seat to play
    actions: Integers  # (n,) the action
    probabilities: NDArray[np.float32]  # (n, num_actions) the policy that was played
    utilities: NDArray[np.float32]  # (games, 2) each seat's utility at the end: 1, 0 or -1

    def __len__(self) -> int:
        return len(self.games)

    def advantages(
        self, values: NDArray[np.float32], gae_lambda: float, rewards: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """Return generalized advantage estimates (GAE), undiscounted, from each seat's own decisions.

        `values`, ``(n,)``, are estimates for the seat to play. `rewards`, ``(n,)``, are what it gets for its
        action, and the other seat loses.
        """
        advantages = np.empty_like(values)
        following, ahead = self.utilities.copy(), np.zeros_like(self.utilities)
        for step in reversed(self.steps):
            place, other = (self.games[step], self.seats[step]), (self.games[step], 1 - self.seats[step])
            if rewards is not None:
                following[place] += rewards[step]
                following[other] -= rewards[step]
            ahead[place] = following[place] - values[step] + gae_lambda * ahead[place]
            following[place] = values[step]
            advantages[step] = ahead[place]
        return advantages

    def next_decisions(self) -> Integers:
        """Return the index of the next decision of the same seat in the same game; -1 for the last one."""
        following, upcoming = np.empty(len(self), dtype=np.int64), np.full(self.utilities.shape, -1)
        for step in reversed(self.steps):
            place = self.games[step], self.seats[step]
            following[step] = upcoming[place]
            upcoming[place] = np.arange(step.start, step.stop)
        return following


class SmallGame:
    """A small game, with the observation and the legal actions of each information set.

    Attributes:
        tree: the tree of the game.
        observations: ``(information sets, inputs)`` float32, without the entries that are always the same.
        masks: ``(information sets, num_actions)`` bool, with the actions that are ever legal.
        seats: ``(information sets,)`` the seat to play.
        children: ``(nodes, num_actions)`` int32: the node after each action, or its utility; see `LOSS`.

    """

    def __init__(self, name: str) -> None:
        self.name, self.tree = name, tree_of(small_config(name))
        parts = [(views.observations, views.masks != 0) for _, views in batches(self.tree)]
        low = np.min([observations.min(axis=0) for observations, _ in parts], axis=0)
        high = np.max([observations.max(axis=0) for observations, _ in parts], axis=0)
        self._inputs = np.flatnonzero(low != high)
        actions = np.flatnonzero(np.any([masks.any(axis=0) for _, masks in parts], axis=0))
        self.observations = torch.from_numpy(np.concatenate([part[:, self._inputs] for part, _ in parts]))
        masks = np.concatenate([masks[:, actions] for _, masks in parts])
        self.masks = torch.from_numpy(masks)
        self.seats = self.tree.tree.seats.astype(np.int64)
        self.children = self._children(np.nonzero(masks)[1])

    def _children(self, columns: Integers) -> NDArray[np.int32]:
        """Return `children`; `columns` are the actions of a strategy's entries."""
        edges, children, infosets, _, slots, *_ = self.tree.tree
        table = np.zeros((self.tree.num_nodes, self.num_actions), dtype=np.int32)
        counts = np.diff(edges)
        numbers = np.arange(len(children)) - np.repeat(edges[:-1], counts)
        table[
            np.repeat(np.arange(len(counts)), counts), columns[np.repeat(slots[infosets], counts) + numbers]
        ] = children
        return table

    @property
    def num_inputs(self) -> int:
        return int(self.observations.shape[1])

    @property
    def num_actions(self) -> int:
        return int(self.masks.shape[1])

    @cached_property
    def other_observations(self) -> torch.Tensor:
        """``(nodes, inputs)`` float16: what the seat that is not to play sees, for a centralized critic."""
        found = torch.empty((self.tree.num_nodes, self.num_inputs), dtype=torch.float16)
        kernels, stack = traversal_of(self.tree.spec), new_stack(self.tree.spec)
        for deal in range(self.tree.num_deals):
            first, end = self.tree.deals[deal : deal + 2]
            states = blank_records(int(end - first), self.tree.spec.state)
            kernels.write_states(self.tree.blank, deal, 0, *stack, np.ones(end - first, np.bool_), states)
            others = 1 - states["to_play"].astype(np.int64)
            views = Views(self.tree.spec, states, np.arange(len(states)), others)
            found[first:end] = torch.from_numpy(views.observations[:, self._inputs])
        return found

    # --- playing --------------------------------------------------------------------------------------

    def play(self, policy: Policy, count: int, rng: np.random.Generator) -> Games:
        """Play games to their end."""
        nodes = self.tree.deals[rng.integers(self.tree.num_deals, size=count)]
        games, parts, utilities = np.arange(count), [], np.zeros((count, 2), dtype=np.float32)
        while len(games):
            infosets = self.tree.tree.infosets[nodes].astype(np.int64)
            probabilities = policy(infosets, games)
            actions = sampled(probabilities, rng)
            parts.append((games, nodes, infosets, self.seats[infosets], actions, probabilities))
            children = self.children[nodes, actions]
            over = children < 0
            utilities[games[over]] = outcome(children[over])[:, None] * (1, -1)
            games, nodes = games[~over], children[~over].astype(np.int64)
        ends = np.cumsum([0, *(len(part[0]) for part in parts)]).tolist()
        steps = [slice(first, end) for first, end in itertools.pairwise(ends)]
        columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return Games._make([steps, *columns, utilities])

    # --- networks -------------------------------------------------------------------------------------

    def network(self, outputs: int, hidden: int, inputs: int | None = None) -> nn.Sequential:
        """Return a new network with two hidden layers."""
        sizes = (inputs or self.num_inputs, hidden, hidden)
        layers = [part for a, b in itertools.pairwise(sizes) for part in (nn.Linear(a, b), nn.ReLU())]
        last = nn.Linear(hidden, outputs)
        with torch.no_grad():
            last.weight *= 0.01  # the first policy is almost uniform
            last.bias.zero_()
        return nn.Sequential(*layers, last)

    def outputs(self, network: nn.Module, infosets: Integers) -> torch.Tensor:
        """Return the network's outputs, with masked logits of the actions first."""
        numbers = torch.from_numpy(infosets)
        outputs = network(self.observations[numbers])
        logits = masked(outputs[:, : self.num_actions], self.masks[numbers])
        return torch.cat([logits, outputs[:, self.num_actions :]], dim=1)

    def policy(self, network: nn.Module) -> Policy:
        """Return the policy of a network whose first outputs are the logits of the actions."""

        def probabilities(infosets: Integers, _: Integers) -> NDArray[np.float32]:
            with torch.no_grad():
                return softmax(self.outputs(network, infosets)[:, : self.num_actions])

        return probabilities

    def strategy(self, policy: Policy) -> Floats:
        """Return the strategy of a policy, which is asked once in each information set."""
        strategy = np.empty(self.tree.num_slots)
        for first in range(0, self.tree.num_infosets, BATCH):
            infosets = np.arange(first, min(first + BATCH, self.tree.num_infosets))
            begin, end = self.tree.tree.slots[[infosets[0], infosets[-1] + 1]]
            strategy[begin:end] = policy(infosets, infosets)[self.masks[first : first + BATCH].numpy()]
        return self.tree.normalized(strategy)


def softmax(logits: torch.Tensor) -> NDArray[np.float32]:
    probabilities: NDArray[np.float32] = logits.softmax(dim=1).numpy()
    return probabilities


def outcome(children: NDArray[Any]) -> NDArray[np.float32]:
    """Return seat 0's utility for which negative children stand."""
    return (LOSS - 1 - children).astype(np.float32)


def sampled(probabilities: NDArray[np.float32], rng: np.random.Generator) -> Integers:
    """Sample an action from each row of probabilities."""
    sums = probabilities.cumsum(axis=1)
    actions: Integers = (sums > rng.random((len(sums), 1)) * sums[:, -1:]).argmax(axis=1)
    return actions


def minibatches(count: int, size: int, epochs: int, rng: np.random.Generator) -> Iterator[Integers]:
    """Yield the numbers ``0..count - 1`` in random order, in batches, once per epoch."""
    for _ in range(epochs):
        order = rng.permutation(count)
        yield from (order[first : first + size] for first in range(0, count, size))
