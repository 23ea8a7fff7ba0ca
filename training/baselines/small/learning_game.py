"""Games as learning algorithms see them: what is looked up, what is played, and networks."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_training.common.network import masked

Integers = NDArray[np.int64]
Policy = Callable[[Integers, Integers], NDArray[np.float32]]
"""Returns the probabilities ``(n, num_actions)`` in information sets ``(n,)`` of the games with the given
numbers ``(n,)``."""


class Games(NamedTuple):
    """Finished games, as flat arrays of all decisions: first the first decision of each game, and so on."""

    steps: list[slice]  # the first decisions of all games, the second decisions, ...
    utilities: NDArray[np.float32]  # (games, 2) each seat's utility at the end: 1, 0 or -1
    games: Integers  # (n,) the number of the game
    nodes: Integers  # (n,) the node in the tree
    infosets: Integers  # (n,) the information set
    seats: Integers  # (n,) the seat to play
    actions: Integers  # (n,) the action
    probabilities: NDArray[np.float32]  # (n, num_actions) the policy that was played

    @classmethod
    def of(cls, parts: list[tuple[Any, ...]], utilities: NDArray[np.float32]) -> "Games":
        """Return games from one tuple of arrays per step: all fields from `games` on."""
        ends = np.cumsum([0, *(len(part[0]) for part in parts)]).tolist()
        steps = [slice(first, end) for first, end in itertools.pairwise(ends)]
        columns: Any = [np.concatenate(column) for column in zip(*parts, strict=True)]
        return cls(steps, utilities, *columns)

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


class LearningGame:
    """A game with what an algorithm looks up in it: the base class.

    Attributes:
        observations: ``(information sets, inputs)`` float32.
        masks: ``(information sets, num_actions)`` bool.
        seats: ``(information sets,)`` the seat to play.

    """

    observations: torch.Tensor
    masks: torch.Tensor
    seats: Integers

    @property
    def other_observations(self) -> torch.Tensor:
        """``(nodes, inputs)``: what the seat that is not to play sees, for a centralized critic."""
        raise NotImplementedError

    def play(self, policy: Policy, count: int, rng: np.random.Generator) -> Games:
        """Play games to their end."""
        raise NotImplementedError

    def strategy(self, policy: Policy) -> Any:
        """Return what is evaluated: the strategy or the agent that plays the policy."""
        raise NotImplementedError

    def mixed_strategy(self, policies: Sequence[Policy], mixture: NDArray[np.float64]) -> Any:
        """Return what is evaluated if a seat draws one of the policies for a whole game."""
        raise NotImplementedError

    @property
    def num_inputs(self) -> int:
        return int(self.observations.shape[1])

    @property
    def num_actions(self) -> int:
        return int(self.masks.shape[1])

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

    def policy(self, network: nn.Module) -> "NetworkPolicy":
        """Return the policy of a network whose first outputs are the logits of the actions."""
        return NetworkPolicy(self, network)


class NetworkPolicy:
    """The `Policy` of a network in a game."""

    def __init__(self, game: LearningGame, network: nn.Module) -> None:
        self.network, self._game = network, game

    def __call__(self, infosets: Integers, games: Integers) -> NDArray[np.float32]:
        with torch.no_grad():
            return softmax(self._game.outputs(self.network, infosets)[:, : self._game.num_actions])


def softmax(logits: torch.Tensor) -> NDArray[np.float32]:
    probabilities: NDArray[np.float32] = logits.softmax(dim=1).numpy()
    return probabilities


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
