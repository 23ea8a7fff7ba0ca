"""Imitation of a teacher bot: training samples, and one pass of training over them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from pocketmars_agents import Agent
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import NetworkInputs, to_device
from pocketmars_training.common.network import masked, opponent_split_loss, sample_actions
from pocketmars_training.common.rollout_buffer import Forward
from pocketmars_training.common.self_play_table import FinishedGame, Result, SelfPlayTable, win_shares_from

ROUNDS = 8
"""Number of rounds. Each round adds samples, then trains the network on all samples so far."""
LEARNING_RATE = 1e-3
BATCH_SIZE = 1_024
EPOCHS, LAST_EPOCHS = 2, 6
"""Number of passes over all samples: `EPOCHS` in each round except the last, `LAST_EPOCHS` in the last."""
VALUE_WEIGHT = 0.5


class Epoch(NamedTuple):
    """Mean training metrics of one pass over all samples."""

    agreement: float  # share of samples (0..1) in which policy and teacher prefer the same action
    loss: float  # Kullback-Leibler divergence KL(teacher's preferences ‖ policy)


@runtime_checkable
class Teacher(Agent, Protocol):
    """A bot with preferences over the actions; for other bots, the chosen action gets the preference 1."""

    def preferences(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
        """Return the preferences ``(n, NUM_ACTIONS)`` float32; the arguments are those of `act_batch`.

        Each row sums to 1; the preferences for illegal actions are 0.
        """


@dataclass
class Progress:
    """The progress of imitation, stored in checkpoints; the samples of each round are in a separate file."""

    decisions: int  # planned number of imitation decisions in all rounds
    rounds: int = 0  # number of finished rounds
    optimizer: dict[str, Any] | None = None  # the optimizer's state after the finished rounds

    @property
    def is_over(self) -> bool:
        return self.rounds == ROUNDS or self.decisions == 0


class Samples:
    """Training samples: observations, masks, the teacher's preferences and the outcomes of the games.

    `size` is the number of decisions so far, at most `capacity`. In Pocket Mars with uint8 observations, each
    decision takes 2.2 KB.
    """

    def __init__(self, spec: GameSpec, capacity: int, dtype: np.dtype[Any]) -> None:
        self.size = 0
        self.observations = np.empty((capacity, spec.observation_size), dtype=dtype)
        self.masks = np.empty((capacity, spec.num_actions), dtype=np.bool_)
        self.preferences = np.empty((capacity, spec.num_actions), dtype=np.float16)
        self.win_shares = np.full((capacity, spec.max_seats), np.nan, dtype=np.float32)  # NaN: unknown
        self.seats = np.empty(capacity, dtype=np.uint8)  # the number of seats in the game

    def columns(self) -> tuple[NDArray[Any], ...]:
        return self.observations, self.masks, self.preferences, self.win_shares, self.seats

    def end_game(self, game: FinishedGame) -> None:
        """Set the win shares of all decisions in a finished game."""
        if game.decisions:
            rows, seats = map(np.array, zip(*game.decisions))
            rewards = np.broadcast_to(game.result.rewards, (len(rows), len(game.result.rewards)))
            self.win_shares[rows] = win_shares_from(seats, rewards, self.win_shares.shape[1])

    def rows(self, first: int) -> dict[str, torch.Tensor]:
        """Return all rows from index `first` on, in the format of the sample files.

        Masks are packed into bits, and only the preferences for legal actions are stored.
        """
        rows = slice(first, self.size)
        masks = self.masks[rows]
        columns = {
            "observations": self.observations[rows],
            "masks": np.packbits(masks, axis=1),
            "preferences": self.preferences[rows][masks],
            "win_shares": self.win_shares[rows],
            "seats": self.seats[rows],
        }
        return {name: torch.from_numpy(column.copy()) for name, column in columns.items()}

    def add_rows(self, columns: dict[str, torch.Tensor]) -> None:
        """Add rows in the format that `rows` returns."""
        arrays = {name: column.numpy() for name, column in columns.items()}
        rows = slice(self.size, self.size + len(arrays["seats"]))
        masks = np.unpackbits(arrays["masks"], axis=1, count=self.masks.shape[1]).astype(np.bool_)
        self.observations[rows], self.masks[rows] = arrays["observations"], masks
        self.preferences[rows] = 0
        self.preferences[rows][masks] = arrays["preferences"]
        self.win_shares[rows], self.seats[rows] = arrays["win_shares"], arrays["seats"]
        self.size = rows.stop


def samples_file(folder: Path, number: int) -> Path:
    """Return the path of the file for the samples of round `number`."""
    return folder / f"imitation-{number}.pt"


def collect(
    forward: Forward,
    inputs: NetworkInputs,
    tables: Sequence[SelfPlayTable],
    teacher: Agent,
    samples: Samples,
    rows: range,
    teacher_moves: float,
    rng: np.random.Generator,
) -> list[Result]:
    """Play until the learner's decisions fill the given rows of the samples; return the games' results.

    The teacher's action is played with the probability `teacher_moves`; otherwise, an action is sampled from
    the network's policy. The win shares in games that do not end remain unknown.
    """
    generator = torch.Generator().manual_seed(int(rng.integers(2**63)))
    results = []
    while rows:
        for table in tables:
            games = table.learner_games()
            views = table.learner_views(games)
            observations, flags = inputs.observe(views)
            seeds = rng.integers(0, 2**64, size=len(views), dtype=np.uint64)
            masks, preferences = flags != 0, preferences_of(teacher, views, seeds)
            with torch.no_grad():
                logits = forward(torch.from_numpy(observations))[0]
                log_probs = masked(logits, torch.from_numpy(masks)).log_softmax(dim=1)
                sampled = sample_actions(log_probs, generator).numpy()
            is_teachers = rng.random(len(games)) < teacher_moves
            filled = rows[: len(games)]
            part, count = slice(filled.start, filled.stop), len(filled)
            samples.observations[part], samples.masks[part] = observations[:count], masks[:count]
            samples.preferences[part] = preferences[:count]
            samples.seats[part] = table.games.config.seats
            for game, *decision in zip(games.tolist(), filled, views.seats.tolist()):
                table.record(game, decision)
            rows = rows[count:]
            for ended in table.step(games, np.where(is_teachers, preferences.argmax(axis=1), sampled)):
                samples.end_game(ended)
                results.append(ended.result)
    return results


def preferences_of(teacher: Agent, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return a bot's preferences ``(n, NUM_ACTIONS)``; if it is not a `Teacher`, the chosen action gets 1."""
    if isinstance(teacher, Teacher):
        return teacher.preferences(views, seeds)
    preferences = np.zeros((len(views), views.spec.num_actions), dtype=np.float32)
    preferences[np.arange(len(views)), choose_actions(teacher, views, seeds)] = 1.0
    return preferences


def train_epoch(
    forward: Forward,
    device: torch.device,
    optimizer: torch.optim.Optimizer,
    samples: Samples,
    rng: np.random.Generator,
) -> Epoch:
    """Train the network for one pass over all samples, and return the mean metrics.

    The network learns the teacher's preferences and, in games that have ended, the outcome.
    """
    agreed = total = 0.0
    order = rng.permutation(samples.size)
    for first in range(0, samples.size, BATCH_SIZE):
        rows = np.sort(order[first : first + BATCH_SIZE])
        tensors = (to_device(torch.from_numpy(column[rows]), device) for column in samples.columns())
        observations, masks, preferences, shares, seats = tensors
        logits, values, split_logits = forward(observations)
        logits, preferences = masked(logits, masks), preferences.float()
        loss = functional.kl_div(logits.log_softmax(dim=1), preferences, reduction="batchmean")
        agreed += (logits.argmax(dim=1) == preferences.argmax(dim=1)).sum().item()
        total += loss.item() * len(rows)
        known = ~shares[:, 0].isnan()
        if known.any():
            shares, seats = shares[known], seats[known].long()
            value_loss = functional.mse_loss(values[known], (shares[:, 0] * seats - 1) / (seats - 1))
            split_loss = opponent_split_loss(shares[:, 1:], seats, split_logits[known])
            loss = loss + VALUE_WEIGHT * (value_loss + split_loss)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # untyped in PyTorch
        optimizer.step()
    return Epoch(agreed / samples.size, total / samples.size)
