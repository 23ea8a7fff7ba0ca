"""A small game as learning algorithms see it."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_agents.exact import tree_kernels
from pocketmars_agents.exact.game_tree import Floats, GameTree, new_stack, traversal_of, tree_of
from pocketmars_agents.exact.strategies import BATCH, batches, small_config
from pocketmars_agents.exact.tree_kernels import LOSS
from pocketmars_env.core.compiled.states import blank_records
from pocketmars_env.core.game import Views

from .learning_game import Games, Integers, LearningGame, Policy, sampled


class SmallGame(LearningGame):
    """A small game: games are played on its tree, and observations are looked up.

    Attributes:
        tree: the tree of the game.
        observations, masks: without inputs that are always the same, and actions that are never legal.
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

    @cached_property
    def other_observations(self) -> torch.Tensor:
        """As in the base class, in float16."""
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

    def play(self, policy: Policy, count: int, rng: np.random.Generator) -> Games:
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
        return Games.of(parts, utilities)

    def strategy(self, policy: Policy) -> Floats:
        """Return the strategy of a policy, which is asked once in each information set."""
        strategy = np.empty(self.tree.num_slots)
        for first in range(0, self.tree.num_infosets, BATCH):
            infosets = np.arange(first, min(first + BATCH, self.tree.num_infosets))
            begin, end = self.tree.tree.slots[[infosets[0], infosets[-1] + 1]]
            strategy[begin:end] = policy(infosets, infosets)[self.masks[first : first + BATCH].numpy()]
        return self.tree.normalized(strategy)

    def mixed_strategy(self, policies: Sequence[Policy], mixture: NDArray[np.float64]) -> Floats:
        """Return the strategy with the same outcomes as drawing one policy per game and seat."""
        average = Average(self.tree)
        for policy, weight in zip(policies, mixture, strict=True):
            if weight > 0:
                average.add(self.strategy(policy), float(weight))
        return average.strategy()


class Average:
    """The weighted average of strategies."""

    def __init__(self, tree: GameTree) -> None:
        self._tree, self._sums = tree, np.zeros(tree.num_slots)

    def add(self, strategy: Floats, weight: float) -> None:
        reach = self._tree.reach(strategy)
        for seat in range(2):
            tree_kernels.add_to_average(self._tree.tree, seat, weight, strategy, reach, self._sums)

    def strategy(self) -> Floats:
        return self._tree.normalized(self._sums)


def outcome(children: NDArray[Any]) -> NDArray[np.float32]:
    """Return seat 0's utility for which negative children stand."""
    return (LOSS - 1 - children).astype(np.float32)
