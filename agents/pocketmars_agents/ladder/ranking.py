"""The ranking of a division: ratings with intervals, fitted to the results of all its rows.

The model is that of `arena.rating`. The intervals come from a Poisson bootstrap over the deals, in which each
deal has a random weight with mean 1. The bots of this package play the same deals, so their games with equal
numbers have equal weights.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.rating import strengths, to_points
from pocketmars_agents.arena.statistics import CONFIDENCE, Interval, wilson_interval
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import PARTS, Cell, Row

RESAMPLES = 200
SEED = 0
TAIL = 100 * (1 - CONFIDENCE) / 2


@dataclass(frozen=True)
class Result:
    """The result of a row's bot against an opponent.

    Attributes:
        games: the number of games.
        rate: the win rate of the bot's seat.
        interval: its 95 % Wilson interval.
        fair: the win rate of equal bots.

    """

    games: int
    rate: float
    interval: Interval
    fair: float

    @property
    def is_equal(self) -> bool:
        """Whether the interval contains the win rate of equal bots."""
        return self.interval[0] <= self.fair <= self.interval[1]


@dataclass(frozen=True)
class Ranking:
    """The ratings of a division.

    Attributes:
        names: the names of all entries and opponents.
        ratings: ``(n,)`` their ratings.
        drawn: ``(RESAMPLES, n)`` the ratings in the bootstrap samples.

    """

    names: tuple[str, ...]
    ratings: NDArray[np.float64]
    drawn: NDArray[np.float64]

    def interval(self, name: str) -> Interval:
        """Return the 95 % interval of a rating."""
        low, high = np.percentile(self.drawn[:, self.names.index(name)], [TAIL, 100 - TAIL])
        return float(low), float(high)

    def rating(self, name: str) -> float:
        return float(self.ratings[self.names.index(name)])

    def are_equal(self, name: str, other: str) -> bool:
        """Return whether the 95 % interval of the difference between two ratings contains 0."""
        i, j = self.names.index(name), self.names.index(other)
        difference = np.percentile(self.drawn[:, i] - self.drawn[:, j], [TAIL, 100 - TAIL])
        low, high = difference.round(1)  # the fit is not exact
        return bool(low <= 0 <= high)


def ranking(division: Division, rows: Sequence[Row]) -> Ranking:
    """Return the ranking of a division with at least one result."""
    cells = [(row, cell) for row in rows for cell in row.cells]
    names = tuple(dict.fromkeys(name for row, cell in cells for name in (row.name, cell.opponent)))
    players = 2 if division.is_alone else division.config.players
    line_ups = np.array(
        [[names.index(row.name), *[names.index(cell.opponent)] * (players - 1)] for row, cell in cells]
    )
    rng = np.random.default_rng(SEED)
    most = max(len(cell.packed) for _, cell in cells)
    public = rng.poisson(size=(RESAMPLES, most))

    def wins_of(weights: NDArray[Any], cell: Cell) -> NDArray[np.float64]:
        """Return the wins of each seat in each sample, ``(R, players)``, given the weights of the games."""
        own = weights @ (cell.parts / PARTS)
        others = (weights.sum(axis=1) - own) / (players - 1)
        return np.column_stack([own, *[others] * (players - 1)])

    total = np.stack([wins_of(np.ones((1, len(cell.packed))), cell)[0] for _, cell in cells])
    drawn = []
    for row, cell in cells:
        count = len(cell.packed)
        weights = rng.poisson(size=(RESAMPLES, count)) if row.bundle else public[:, :count]
        drawn.append(wins_of(weights, cell))
    best = strengths(line_ups, total, np.zeros(len(names)))
    samples = [strengths(line_ups, wins, best) for wins in np.stack(drawn, axis=1)]
    return Ranking(names, to_points(best), to_points(np.stack(samples)))


def result_of(division: Division, cell: Cell) -> Result:
    """Return the result in a cell."""
    games = len(cell.packed)
    wins = float(cell.parts.sum()) / PARTS
    fair = 1 / (2 if division.is_alone else division.config.players)
    return Result(games, wins / games, wilson_interval(wins, games), fair)
