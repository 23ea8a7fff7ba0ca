"""The algorithms of `small/` on the tasks: the full games, played without a tree."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_env.core.game import Views
from pocketmars_env.core.games import Games as FullGames
from pocketmars_training.common.network_agent import NetworkAgent
from pocketmars_training.common.training_spec import Task

from .recorder import Recorder
from .small.learning_game import Games, LearningGame, NetworkPolicy, Policy, sampled
from .small.runs import ALGORITHMS

CHANGES: dict[str, Any] = {"games": 64, "hidden": 256, "decisions_per_oracle": 105_000}
"""Changes to the settings for small games, if an algorithm has them.

With their payoffs, seven oracles of `two_players` and eight of `duel` take a little over 1,000,000 decisions.
"""


class FullGame(LearningGame):
    """The games of a task; the decisions of the latest games take the place of information sets and nodes.

    With `sees_all`, the games also store what the other seat sees; in a game with one seat, this is zeros.
    """

    def __init__(self, task: Task, sees_all: bool = False) -> None:
        self._task, self._sees_all = task, sees_all
        spec = task.game
        first = np.zeros((1, spec.observation_size), np.float32), np.ones((1, spec.num_actions), np.int8)
        self._store([(np.zeros(1, np.int64), *first)])

    def _store(self, seen: list[Any]) -> None:
        """Store seats, observations, masks and, possibly, the other seats' observations of decisions."""
        self.seats, *columns = (np.concatenate(column) for column in zip(*seen))
        observations, masks, *others = map(torch.from_numpy, columns)
        self.observations, self.masks = observations, masks != 0
        self._others = others[0] if others else None

    @property
    def other_observations(self) -> torch.Tensor:
        assert self._others is not None
        return self._others

    def play(self, policy: Policy, count: int, rng: np.random.Generator) -> Games:
        full = FullGames(count, self._task.game, seed=int(rng.integers(2**63)), **self._task.kind)
        games, utilities = np.arange(count), np.zeros((count, 2), dtype=np.float32)
        parts, seen = [], []
        first = 0
        while True:
            seats, rows = full.to_play, np.arange(first, first + len(full))
            seen.append((seats, *full.observe(), *([self._other(full, seats)] if self._sees_all else [])))
            self._store(seen[-1:])
            probabilities = policy(rows - first, games)
            actions = sampled(probabilities, rng)
            parts.append((games, rows, rows, seats, actions, probabilities))
            full.step(actions)
            first, over = first + len(full), full.over
            if over.any():
                won = full.winners[over, :2].astype(np.float32)
                utilities[games[over]] = won - won[:, ::-1]
                if over.all():
                    break
                full, games = full.take(np.flatnonzero(~over)), games[~over]
        self._store(seen)
        return Games.of(parts, utilities)

    def _other(self, full: FullGames, seats: NDArray[np.int64]) -> NDArray[np.float32]:
        if self._task.players == 1:
            return np.zeros((len(full), self._task.game.observation_size), dtype=np.float32)
        observations: NDArray[np.float32] = full.observe(1 - seats)[0]
        return observations

    def strategy(self, policy: Policy) -> NetworkAgent:
        """Return an agent that plays the most likely action."""
        assert isinstance(policy, NetworkPolicy)
        return NetworkAgent("policy", LogitsAndValue(policy.network, self.num_actions))

    def mixed_strategy(self, policies: Sequence[Policy], mixture: NDArray[np.float64]) -> "MixedAgent":
        """Return an agent that draws one of the agents of the policies for a whole game."""
        return MixedAgent([self.strategy(policy) for policy in policies], mixture)


class MixedAgent(BatchedAgent):
    """Draws one of several agents per row of a batch. Evaluations keep a game in its row until its end."""

    name = "mixture"

    def __init__(self, agents: Sequence[BatchedAgent], mixture: NDArray[np.float64]) -> None:
        self._agents, self._mixture = agents, mixture

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        drawn = np.random.default_rng(0).choice(len(self._agents), size=len(views), p=self._mixture)
        actions = np.empty(len(views), dtype=np.int64)
        for number in np.unique(drawn):
            rows = drawn == number
            actions[rows] = self._agents[number].act_batch(views, seeds)[rows]
        return actions


class LogitsAndValue(nn.Module):
    """Separates the logits of a network from the value, if it has one."""

    def __init__(self, network: nn.Module, actions: int) -> None:
        super().__init__()
        self.network, self.actions = network, actions

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        outputs = self.network(observations)
        return outputs[:, : self.actions], *outputs[:, self.actions :].unbind(dim=1)


def train(recorder: Recorder) -> None:
    """Train the algorithm of `small/` with the recorder's name."""
    algorithm = ALGORITHMS[recorder.algorithm]
    settings = algorithm.settings()
    settings |= {name: value for name, value in CHANGES.items() if name in settings}
    game = FullGame(recorder.task, algorithm.sees_all)
    for decisions, strategy in algorithm.train(game, recorder.env_seed, settings):
        if decisions == 0:
            recorder.evaluate(0, strategy())
        elif decisions >= recorder.total_steps:
            recorder.finish(decisions, strategy(), settings)
            return
        elif recorder.is_due(decisions):
            recorder.evaluate(decisions, strategy())
