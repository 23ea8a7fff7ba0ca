"""Replay buffer of search results and game outcomes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import to_device
from pocketmars_training.common.self_play_games import win_shares_from

UNIFORM_SHARE = 0.5
"""Share of the sampling weight that is uniform; the rest is proportional to how much the search changed the
network's policy (policy surprise weighting; KataGo, docs/KataGoMethods.md)."""


class Sample(NamedTuple):
    """A training sample: one searched position."""

    observation: NDArray[Any]  # (OBSERVATION_SIZE,) uint8 or float32, see `NetworkInputs`
    mask: NDArray[np.int8]  # (NUM_ACTIONS,)
    policy: NDArray[np.float32]  # (NUM_ACTIONS,) target policy
    seat: int  # seat to play
    win_shares: NDArray[np.float32]  # (MAX_SEATS,) the search's estimates, from that seat on in turn order
    surprise: float  # Kullback-Leibler divergence KL(target policy ‖ network's policy)


class Batch(NamedTuple):
    """A batch of samples."""

    observations: torch.Tensor  # (n, OBSERVATION_SIZE) uint8 or float32, see `NetworkInputs`
    masks: torch.Tensor  # (n, NUM_ACTIONS) bool
    policies: torch.Tensor  # (n, NUM_ACTIONS) float32
    win_shares: torch.Tensor  # (n, MAX_SEATS) float32, in turn order from the seat to play
    seats: torch.Tensor  # (n,) int64, number of seats in the game

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(to_device(column, device) for column in self))


class ReplayBuffer:
    """The newest samples of finished games.

    Args:
        size: the capacity in samples; in Pocket Mars, each takes 2.2 KB with uint8 observations.
        dtype: the dtype of the observations.
        outcome: the weight of the game's outcome in the win shares; the rest is the search's estimate.

    Attributes:
        added: the number of samples added so far, including overwritten ones.

    """

    def __init__(self, spec: GameSpec, size: int, dtype: np.dtype[Any], outcome: float) -> None:
        self.added = 0
        self._observations = np.zeros((size, spec.observation_size), dtype=dtype)
        self._masks = np.zeros((size, spec.num_actions), dtype=np.bool_)
        self._policies = np.zeros((size, spec.num_actions), dtype=np.float16)
        self._win_shares = np.zeros((size, spec.max_seats), dtype=np.float32)
        self._seats, self._surprises = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.float32)
        self._outcome = outcome

    def __len__(self) -> int:
        """The number of samples in the buffer."""
        return min(self.added, len(self._seats))

    def add_game(self, samples: Sequence[Sample], rewards: NDArray[np.float64]) -> None:
        """Add the samples of a finished game with the final rewards ``(seats,)``."""
        for sample in samples:
            row = self.added % len(self._seats)
            self._observations[row], self._masks[row] = sample.observation, sample.mask
            self._policies[row], self._surprises[row] = sample.policy, sample.surprise
            seats = np.array([sample.seat])
            won = win_shares_from(seats, rewards[None], self._win_shares.shape[1])[0]
            self._win_shares[row] = (1 - self._outcome) * sample.win_shares + self._outcome * won
            self._seats[row] = len(rewards)
            self.added += 1

    def sample_rows(self, batches: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw rows ``(batches, size)`` for the method `batch`; surprising samples are drawn more often."""
        surprises = self._surprises[: len(self)].astype(np.float64)
        weights = UNIFORM_SHARE + (1 - UNIFORM_SHARE) * surprises / max(surprises.mean(), 1e-9)
        sums = weights.cumsum()
        drawn = np.searchsorted(sums, rng.random((batches, size)) * sums[-1], side="right")
        rows: NDArray[np.int64] = np.minimum(drawn, len(self) - 1)
        return rows

    def batch(self, rows: NDArray[np.int64]) -> Batch:
        """Return the samples in the given rows."""
        columns = (
            self._observations[rows],
            self._masks[rows],
            self._policies[rows].astype(np.float32),
            self._win_shares[rows],
            self._seats[rows],
        )
        return Batch(*map(torch.from_numpy, columns))
