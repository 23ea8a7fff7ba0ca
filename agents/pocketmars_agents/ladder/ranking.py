"""The ranking of a division: ratings with intervals, fitted to the results of all its rows.

The model is that of `arena.rating`. The intervals come from a Poisson bootstrap over the deals, in which each
deal has a random weight with mean 1. The bots of this package play the same deals, so their games with equal
numbers have equal weights.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.rating import strengths, to_points
from pocketmars_agents.arena.statistics import TAILS, Interval
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import PARTS, Row

RESAMPLES = 200
SEED = 0


@dataclass(frozen=True)
class Ranking:
    """The ratings of all entries and opponents in a division."""

    ratings: Mapping[str, float]  # by name, the highest first
    drawn: Mapping[str, NDArray[np.float64]]  # (RESAMPLES,) for each name, in the bootstrap samples

    def interval(self, name: str) -> Interval:
        """Return the 95 % interval of a rating."""
        low, high = np.percentile(self.drawn[name], TAILS)
        return float(low), float(high)

    def are_equal(self, name: str, other: str) -> bool:
        """Return whether the 95 % interval of the difference between two ratings contains 0."""
        difference = np.percentile(self.drawn[name] - self.drawn[other], TAILS)
        low, high = difference.round(1)  # the fit is not exact
        return bool(low <= 0 <= high)


def ranking(division: Division, rows: Sequence[Row]) -> Ranking:
    """Return the ranking of a division with at least one result."""
    cells = [(row, cell) for row in rows for cell in row.cells]
    names = list(dict.fromkeys(name for row, cell in cells for name in (row.name, cell.opponent)))
    others = division.sides - 1
    line_ups = np.array(
        [[names.index(row.name), *[names.index(cell.opponent)] * others] for row, cell in cells]
    )
    rng = np.random.default_rng(SEED)
    public = rng.poisson(size=(RESAMPLES, max(cell.games for _, cell in cells)))
    wins = []  # for each cell, the wins of each seat: in all games, and in each sample
    for row, cell in cells:
        drawn = rng.poisson(size=(RESAMPLES, cell.games)) if row.bundle else public[:, : cell.games]
        weights = np.vstack([np.ones(cell.games), drawn])
        own = weights @ (cell.parts / PARTS)
        wins.append(np.column_stack([own, *[(weights.sum(axis=1) - own) / others] * others]))
    total, *samples = np.stack(wins, axis=1)
    best = strengths(line_ups, total, np.zeros(len(names)))
    points = to_points(np.stack([best, *(strengths(line_ups, sample, best) for sample in samples)]))
    ratings = sorted(zip(names, points[0].tolist()), key=lambda pair: -pair[1])
    return Ranking(dict(ratings), dict(zip(names, points[1:].T)))
