"""Replay buffer of searched positions with the search results and the game outcomes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import to_device
from pocketmars_training.common.self_play_table import win_shares_from

UNIFORM_SHARE = 0.5
"""Share of the sampling weight that is uniform. The rest is proportional to `Sample.surprise` (policy
surprise weighting; see docs/KataGoMethods.md in the KataGo repository)."""


class Sample(NamedTuple):
    """A training sample: one searched position."""

    observation: NDArray[Any]  # (OBSERVATION_SIZE,) uint8 or float32, see `NetworkInputs`
    mask: NDArray[np.int8]  # (NUM_ACTIONS,)
    policy: NDArray[np.float32]  # (NUM_ACTIONS,) target policy
    seat: int  # the seat to play
    win_shares: NDArray[np.float32]  # (MAX_SEATS,) the search's estimates or NaN, in turn order from `seat`
    surprise: float  # Kullback-Leibler divergence KL(target policy ‖ network's policy)


class Batch(NamedTuple):
    """A batch of samples."""

    observations: torch.Tensor  # (n, OBSERVATION_SIZE) uint8 or float32, see `NetworkInputs`
    masks: torch.Tensor  # (n, NUM_ACTIONS) bool
    policies: torch.Tensor  # (n, NUM_ACTIONS) float32
    win_shares: torch.Tensor  # (n, MAX_SEATS) float32, in turn order from the seat to play
    seats: torch.Tensor  # (n,) int64, the number of seats in the game

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(to_device(column, device) for column in self))


class ReplayBuffer:
    """A ring buffer of the newest samples from finished games; `added` also counts overwritten ones.

    In Pocket Mars with uint8 observations, each sample takes 2.2 KB. `outcome` is the weight of the game's
    outcome in the target win shares, 0..1; the search's estimates have the remaining weight.
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
        """Return the number of samples in the buffer."""
        return min(self.added, len(self._seats))

    def add_game(self, samples: Sequence[Sample], rewards: NDArray[np.float64]) -> None:
        """Add the samples of a finished game; `rewards` are its final ``"win"`` rewards, ``(seats,)``."""
        for sample in samples:
            row = self.added % len(self._seats)
            self._observations[row], self._masks[row] = sample.observation, sample.mask
            self._policies[row], self._surprises[row] = sample.policy, sample.surprise
            seats = np.array([sample.seat])
            won = win_shares_from(seats, rewards[None], self._win_shares.shape[1])[0]
            estimates = np.where(np.isnan(sample.win_shares), won, sample.win_shares)
            self._win_shares[row] = (1 - self._outcome) * estimates + self._outcome * won
            self._seats[row] = len(rewards)
            self.added += 1

    def sample_rows(self, batches: int, size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw row indices ``(batches, size)`` for `batch`; samples with higher surprise are more likely."""
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
