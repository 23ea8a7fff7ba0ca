"""Replay buffer of search results and game outcomes."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.model.shares import shares_from

EVEN_SHARE = 0.5
"""How much of a lesson's weight is the same for all; the rest goes by how much it surprised the network
(Wu, "Accelerating self-play learning in Go", 2019: policy surprise weighting)."""

Table = tuple[int, int]
"""Where a game is played: which games side by side, and which of them."""


class Lesson(NamedTuple):
    """What a network is to learn about one position."""

    observation: NDArray[np.float32]  # (OBSERVATION_SIZE,)
    mask: NDArray[np.int8]  # (NUM_ACTIONS,)
    policy: NDArray[np.float32]  # (NUM_ACTIONS,) how probable each answer should be
    seat: int  # that is asked
    shares: NDArray[np.float32]  # (MAX_SEATS,) of the win, expected by the search for the seats from it on
    surprise: float  # Kullback-Leibler divergence of the network's policy from that


class Batch(NamedTuple):
    """Lessons to learn from at once."""

    observations: NDArray[np.float32]  # (n, OBSERVATION_SIZE)
    masks: NDArray[np.bool_]  # (n, NUM_ACTIONS)
    policies: NDArray[np.float32]  # (n, NUM_ACTIONS)
    shares: NDArray[np.float32]  # (n, MAX_SEATS) of the win, of the seats from the asked one on
    seats: NDArray[np.int64]  # (n,) at the table


class ReplayBuffer:
    """The newest lessons of games that have ended; a new one takes the oldest one's place.

    Args:
        spec: the game.
        size: for how many there is room, at 3.5 KB each.
        outcome_share: of the game's end in a position's shares; the rest is what the search expects.

    Attributes:
        added: lessons that were ever added, without those of games that go on.

    """

    def __init__(self, spec: GameSpec, size: int, outcome_share: float) -> None:
        self.added = 0
        self._observations = np.zeros((size, spec.observation_size), dtype=np.float16)
        self._masks = np.zeros((size, spec.num_actions), dtype=np.bool_)
        self._policies = np.zeros((size, spec.num_actions), dtype=np.float16)
        self._shares = np.zeros((size, spec.max_seats), dtype=np.float32)
        self._seats, self._surprises = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.float32)
        self._outcome_share = outcome_share
        self._waiting: defaultdict[Table, list[Lesson]] = defaultdict(list)

    def __len__(self) -> int:
        """The lessons that can be learnt from."""
        return min(self.added, len(self._shares))

    def add(self, table: Table, lesson: Lesson) -> None:
        """A lesson of a running game; it waits for the end."""
        self._waiting[table].append(lesson)

    def end_game(self, table: Table, rewards: NDArray[np.float64]) -> None:
        """The final rewards of all seats: the lessons of that game are complete."""
        seats = len(rewards)
        for lesson in self._waiting.pop(table, []):
            row = self.added % len(self._shares)
            self._observations[row], self._masks[row] = lesson.observation, lesson.mask
            self._policies[row], self._surprises[row] = lesson.policy, lesson.surprise
            won = shares_from(lesson.seat, rewards, self._shares.shape[1])
            self._shares[row] = (1 - self._outcome_share) * lesson.shares + self._outcome_share * won
            self._seats[row] = seats
            self.added += 1

    def batches(self, number: int, size: int, rng: np.random.Generator) -> "list[NDArray[np.int64]]":
        """So many draws of `size` lessons each, for `batch`: those that surprised more often than others."""
        surprises = self._surprises[: len(self)].astype(np.float64)
        weights = EVEN_SHARE + (1 - EVEN_SHARE) * surprises / max(surprises.mean(), 1e-9)
        sums = weights.cumsum()
        drawn = np.searchsorted(sums, rng.random((number, size)) * sums[-1], side="right")
        return list(np.minimum(drawn, len(self) - 1))

    def batch(self, rows: NDArray[np.int64]) -> Batch:
        """The lessons of some rows."""
        return Batch(
            self._observations[rows].astype(np.float32),
            self._masks[rows],
            self._policies[rows].astype(np.float32),
            self._shares[rows],
            self._seats[rows],
        )
