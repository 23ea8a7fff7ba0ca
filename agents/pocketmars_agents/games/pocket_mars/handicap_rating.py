"""Handicap rating: the handicap at which a bot wins half of its games against Devious Automatics.

The handicap is the number of points added to the score of Devious Automatics, the automated opponent in the
solo game. The model is a logistic regression of wins on the handicap: a bot with rating `r` wins at handicap
`h` with probability ``1 / (1 + exp(slope * (h - r)))``. The confidence interval of a rating comes from a
bootstrap over deals: all games of a deal are resampled together, because they begin with the same cards. For
ratings based on games between bots, see `arena/rating.py`.

The regression cannot say how weak a bot is that wins less than half of its games at the lowest handicap.
Instead, the rating of such a bot is extrapolated from the margins of these games: it is the shift of the
automaton's score, below 0, with which half of them would be won.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # loads its submodules at their first use
from numpy.typing import NDArray

from pocketmars_agents.arena.statistics import BOOTSTRAP_SEED, TAILS, Interval
from pocketmars_agents.arena.text_table import bounds

Counts = NDArray[np.float64]

RESAMPLES = 1_000
PRIOR_MEAN = np.array([0.0, 0.8])
PRIOR_DEVIATION = np.array([10.0, 0.4])
"""Means and standard deviations of the normal priors of two parameters: the log-odds of winning at the mean
of the played handicaps, and the slope per point of handicap. The priors keep both parameters finite if all
games are won, if all are lost, or if all games up to some handicap are won and all others are lost. A few
dozen deals usually outweigh the priors."""
MOST_STEPS = 200
SMALLEST_STEP = 1e-6
"""Newton's method stops when a step changes the log-odds at every handicap by less than this value."""
SMALLEST_SLOPE = 1e-3
"""Lower bound of the slope, which is the decrease in log-odds per point of handicap. It is positive because a
higher handicap cannot help the bot, even if a few games suggest otherwise."""


@dataclass(frozen=True)
class HandicapRating:
    """A handicap rating with its 95 % interval."""

    # the rating in points of handicap; it may lie outside the range of handicaps that were played
    value: float
    interval: Interval  # the two ends of the interval; (NaN, NaN) if fewer than two deals were played
    played: tuple[int, int]  # the lowest and the highest handicap that were played
    is_extrapolated: bool = False  # whether the rating was computed from the margins at the lowest handicap

    def __str__(self) -> str:
        """Return the rating and its interval, such as "6.24 [6.11, 6.37]".

        A star marks an extrapolated rating, as in "-4.13* [-4.40, -3.85]". In other ratings, a number outside
        the range of handicaps that were played is replaced with, for example, "< 0" or "> 12". The interval
        is omitted if it is NaN, or if the rating and both ends of the interval have the same text.
        """
        if self.is_extrapolated:
            return f"{self.value:.2f}*" + bounds(*(f"{end:.2f}" for end in self.interval))
        value, low, high = map(self._text, (self.value, *self.interval))
        return value if value == low == high else value + bounds(low, high)

    def _text(self, value: float) -> str:
        lowest, highest = self.played
        if value < lowest:
            return f"< {lowest}"
        return f"> {highest}" if value > highest else f"{value:.2f}"


def handicap_rating(
    deals: Sequence[int],
    handicaps: Sequence[int],
    wins: Sequence[bool],
    margins: Sequence[float] | None = None,
) -> HandicapRating | None:
    """Return the handicap rating of a bot; None if there are fewer than two different handicaps.

    Args:
        deals: for each game, a number that identifies its deal, such as the seed.
        handicaps: the handicap of each game. A deal need not be played at every handicap.
        wins: for each game, whether the bot won it.
        margins: for each game, the bot's points minus those of Devious Automatics with the handicap, or minus
            infinity if no shift would win the game. Without margins, no rating is extrapolated.

    """
    played, column = np.unique(handicaps, return_inverse=True)
    if len(played) < 2:
        return None
    row = np.unique(deals, return_inverse=True)[1]
    count = int(row.max()) + 1
    games = np.zeros((count, len(played)))
    won = np.zeros_like(games)
    np.add.at(games, (row, column), 1)
    np.add.at(won, (row, column), wins)
    # Resampling outcome counts instead of deals saves time: thousands of deals have few distinct outcomes.
    outcomes, deals_per_outcome = np.unique(np.hstack([games, won]), axis=0, return_counts=True)
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    drawn = rng.multinomial(count, deals_per_outcome / count, size=RESAMPLES)
    totals = np.vstack([deals_per_outcome, drawn]) @ outcomes
    value, *resampled = fit(played, *np.hsplit(totals, 2))
    low, high = np.percentile(resampled, TAILS) if count > 1 else (np.nan, np.nan)
    rating = HandicapRating(float(value), (float(low), float(high)), (int(played[0]), int(played[-1])))
    if margins is None or value >= played[0]:
        return rating
    other = extrapolated(np.asarray(margins)[column == 0], rating.played)
    return other if math.isfinite(other.value) else rating


def extrapolated(margins: NDArray[np.float64], played: tuple[int, int]) -> HandicapRating:
    """Return the rating of a bot with these margins at the lowest handicap, one per deal."""
    values, counts = np.unique(margins, return_counts=True)
    games = len(margins)
    drawn = np.random.default_rng(BOOTSTRAP_SEED).multinomial(games, counts / games, size=RESAMPLES)
    value, *resampled = played[0] + half_won(values, np.vstack([counts, drawn]))
    low, high = np.percentile(resampled, TAILS, method="nearest")  # also of infinite shifts
    interval = (float(low), float(high)) if games > 1 else (np.nan, np.nan)
    return HandicapRating(min(float(value), played[0]), interval, played, is_extrapolated=True)


def half_won(margins: NDArray[np.float64], counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the shifts of the automaton's score, ``(R,)``, with which half of the games would be won.

    A game is won if its margin is greater than the shift; between integers, the win rate is interpolated. The
    different `margins`, ``(V,)``, ascend, and `counts`, ``(R, V)``, has the number of games with each margin.
    """
    lost = counts.cumsum(axis=1)  # with a shift equal to the margin
    half = lost[:, -1] / 2
    place = (lost < half[:, None]).sum(axis=1)
    rows = np.arange(len(counts))
    return np.asarray(margins[place] - (lost[rows, place] - half) / counts[rows, place])


def fit(handicaps: NDArray[np.int64], games: Counts, wins: Counts) -> NDArray[np.float64]:
    """Return the maximum a posteriori rating for each of `R` samples of games, found by Newton's method.

    Args:
        handicaps: ``(H,)`` the different handicaps that were played.
        games: ``(R, H)`` the number of games in each sample at each handicap.
        wins: ``(R, H)`` the number of wins in each sample at each handicap.

    Returns:
        The ratings, ``(R,)`` float64.

    """
    middle = handicaps.mean()
    design = np.stack([np.ones(len(handicaps)), middle - handicaps], axis=1)
    precision = PRIOR_DEVIATION**-2
    x = np.tile(PRIOR_MEAN, (len(games), 1))
    for _ in range(MOST_STEPS):
        rate = scipy.special.expit(x @ design.T)
        gradient = (games * rate - wins) @ design + precision * (x - PRIOR_MEAN)
        weights = games * rate * (1 - rate)
        hessian = np.einsum("rh,hi,hj->rij", weights, design, design) + np.diag(precision)
        step = np.linalg.solve(hessian, gradient[..., None])[..., 0]
        length = np.abs(step @ design.T).max(axis=1, keepdims=True)
        x -= step / np.maximum(1, length)  # at most 1 in log-odds; a longer step could increase the loss
        if length.max() < SMALLEST_STEP:
            break
    log_odds, slope = x.T
    return np.asarray(middle + log_odds / np.maximum(slope, SMALLEST_SLOPE))
