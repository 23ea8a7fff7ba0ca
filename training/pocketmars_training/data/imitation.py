"""Imitation of a bot, the first phase of training.

The learner plays, and the bot labels each position with its preferences over the actions. The network thus
learns in the positions it reaches itself (DAgger; Ross, Gordon and Bagnell, "A reduction of imitation
learning and structured prediction to no-regret online learning", AISTATS 2011). The value learns
the outcomes of the games.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from pocketmars_agents import Agent, make_agent
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.view import Views
from pocketmars_env.envs.opponent_games import OpponentGames
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.model.masking import masked
from pocketmars_training.model.network import Network
from pocketmars_training.run.settings import Settings

ROUNDS = 8
"""Collecting and learning alternate so often."""
RATE = 1e-3
BATCH = 1_024
EPOCHS, LAST_EPOCHS = 2, 6
"""How often all lessons are gone over after a round, and after the last one."""
VALUE_WEIGHT = 0.5


@dataclass(frozen=True)
class Learnt:
    """How well the network has learnt, as a mean over the lessons of one epoch.

    Attributes:
        agreement: 0..1; the share of lessons in which the network's likeliest answer is the teacher's.
        loss: Kullback-Leibler divergence of the network's probabilities from the teacher's preferences.

    """

    agreement: float
    loss: float


@runtime_checkable
class Teacher(Agent, Protocol):
    """An agent that says how much it prefers each answer; of others the network learns the answers."""

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """``(n, NUM_ACTIONS)`` float32: rows sum to 1, 0 for illegal actions; arguments as `act_batch`."""


OnDecisions = Callable[[int], None]
OnRound = Callable[[int, Learnt], None]


class Lessons:
    """What the network learns from: positions, the teacher's preferences, and how the games ended.

    Args:
        spec: the game.
        rows: for how many decisions there is room, at 3.5 KB each; a multiple of `games`.
        games: games side by side; their decisions come in rows of so many.

    """

    def __init__(self, spec: GameSpec, rows: int, games: int) -> None:
        self.observations = np.empty((rows, spec.observation_size), dtype=np.float16)
        self.masks = np.empty((rows, spec.num_actions), dtype=np.bool_)
        self.taught = np.empty((rows, spec.num_actions), dtype=np.float16)
        self.returns = np.full(rows, np.nan, dtype=np.float32)
        self.size = 0
        self._begun = np.zeros(games, dtype=np.int64)  # the row in which each running game began

    def add(self, observations: Any, masks: Any, taught: Any) -> None:
        """One decision of every game."""
        rows = slice(self.size, self.size + len(taught))
        self.observations[rows], self.masks[rows], self.taught[rows] = observations, masks, taught
        self.size += len(taught)

    def end_games(self, dones: NDArray[np.bool_], rewards: NDArray[np.float32]) -> None:
        """After the newest decisions: games that have ended give their rewards to all their rows."""
        games = len(dones)
        for game in np.flatnonzero(dones).tolist():
            self.returns[self._begun[game] + game : self.size : games] = rewards[game]
            self._begun[game] = self.size


def imitate(
    network: Network, env: JoinedVecEnv, settings: Settings, on_decisions: OnDecisions, on_round: OnRound
) -> None:
    """Teach a network what the teacher would answer.

    Args:
        network: is changed.
        env: whose games are played.
        settings: of the run; ``imitation_decisions`` are made.
        on_decisions: called with the number of new decisions, some times a second.
        on_round: called after each of the `ROUNDS` with its number from 1 on, and with its last epoch.

    """
    steps = settings.imitation_decisions // settings.games
    lessons = Lessons(settings.spec, steps * settings.games, settings.games)
    optimizer = torch.optim.Adam(network.parameters(), lr=RATE)
    rng = np.random.default_rng(settings.seed)
    teacher = make_agent(settings.teacher)
    observations = env.reset()
    for number, share in enumerate(np.array_split(np.arange(steps), ROUNDS), start=1):
        follows = 1.0 if number == 1 else settings.teacher_moves
        for _ in share:
            observations = collect(network, env, teacher, lessons, observations, follows, rng)
            on_decisions(settings.games)
        for _ in range(LAST_EPOCHS if number == ROUNDS else EPOCHS):
            learnt = learn(network, optimizer, lessons, rng)
        on_round(number, learnt)


def collect(
    network: Network,
    env: JoinedVecEnv,
    teacher: Agent,
    lessons: Lessons,
    observations: Any,
    follows: float,
    rng: Any,
) -> Any:
    """One decision of every game; returns the next observations."""
    masks = np.stack(env.env_method("action_masks"))
    taught = np.concatenate([ask(teacher, part.envs.tables, rng) for part in env.parts])
    best = taught.argmax(axis=1)
    lessons.add(observations, masks, taught)
    with torch.no_grad():
        logits = masked(network(torch.from_numpy(observations))[0], torch.from_numpy(masks))
        own = torch.multinomial(logits.softmax(dim=1), 1).squeeze(1).numpy()
    env.step_async(np.where(rng.random(len(best)) < follows, best, own))
    following, rewards, dones, _ = env.step_wait()
    lessons.end_games(dones, rewards)
    return following


def ask(teacher: Agent, tables: OpponentGames, rng: np.random.Generator) -> NDArray[np.float32]:
    """How much the teacher prefers each answer to the learners' questions."""
    games = np.arange(len(tables))
    seeds = rng.integers(0, 2**64, size=len(games), dtype=np.uint64)
    return preferences_of(teacher, Views(tables.spec, tables.states, games, tables.seats), seeds)


def preferences_of(teacher: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
    """``(n, NUM_ACTIONS)`` float32: preferences; of a bot that tells none, its answers."""
    if isinstance(teacher, Teacher):
        return teacher.preferences(views, seeds)
    shares = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
    shares[np.arange(len(views)), choose_actions(teacher, views, seeds)] = 1.0
    return shares


def learn(
    network: Network, optimizer: torch.optim.Optimizer, lessons: Lessons, rng: np.random.Generator
) -> Learnt:
    """One epoch over all lessons."""
    agreed = total = 0.0
    order = rng.permutation(lessons.size)
    for first in range(0, lessons.size, BATCH):
        rows = np.sort(order[first : first + BATCH])
        observations = torch.from_numpy(lessons.observations[rows].astype(np.float32))
        logits, values = network(observations)
        logits = masked(logits, torch.from_numpy(lessons.masks[rows]))
        taught = torch.from_numpy(lessons.taught[rows].astype(np.float32))
        loss = functional.kl_div(logits.log_softmax(dim=1), taught, reduction="batchmean")
        agreed += (logits.argmax(dim=1) == taught.argmax(dim=1)).sum().item()
        total += loss.item() * len(rows)
        returns = torch.from_numpy(lessons.returns[rows])
        known = ~returns.isnan()
        if known.any():
            loss = loss + VALUE_WEIGHT * functional.mse_loss(values[known], returns[known])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # PyTorch leaves it without types
        optimizer.step()
    return Learnt(agreed / lessons.size, total / lessons.size)
