"""A reservoir: a uniform sample of all rows added so far (Vitter, 1985)."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Reservoir:
    """A uniform sample of at most `capacity` of all rows that were added."""

    def __init__(self, capacity: int, rng: np.random.Generator) -> None:
        self.capacity, self.added, self._rng = capacity, 0, rng
        self.rows: NDArray[Any] = np.empty(0)

    def add(self, rows: NDArray[Any]) -> None:
        """Add rows, each of which replaces a random one or is dropped if the reservoir is full."""
        free = max(0, self.capacity - self.added)
        self.rows = np.concatenate([self.rows, rows[:free]]) if self.added else rows[:free].copy()
        later = rows[free:]
        numbers = np.arange(max(self.added, self.capacity), self.added + len(rows))
        places = self._rng.integers(numbers + 1)
        kept = places < self.capacity
        self.rows[places[kept]] = later[kept]
        self.added += len(rows)

    def sample(self, count: int) -> NDArray[Any]:
        """Return random rows, with replacement."""
        return self.rows[self._rng.integers(len(self.rows), size=count)]
