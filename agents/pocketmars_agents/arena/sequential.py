"""A sequential test of two bots, which stops as soon as the games have decided.

The generalised sequential probability ratio test, on pairs of games: two bots play every deal twice,
with their seats swapped. A pair has one of five outcomes (0, ½, 1, 1½ or 2 wins), and the test
compares how well the best distribution of outcomes with the mean of either hypothesis explains what
was seen. This is the "pentanomial" test of fishtest and OpenBench; see M. Van den Bergh, "A practical
introduction to the GSPRT" (2020), and Wald, "Sequential tests of statistical hypotheses" (1945). The
hypotheses are differences of strength on the logistic Elo scale.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

PAIR_OUTCOMES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The share of a pair's two wins that the first bot may get."""
UNSEEN = 1e-3
"""Pairs for an outcome that was not seen, so that every mean is possible."""


def score_of_elo(elo: float) -> float:
    """The win rate that a difference of strength means: 0 is 0.5, 400 is 10/11."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """The difference of strength that a win rate means; infinite at 0 and 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class SequentialTest:
    """Is the first bot stronger by `elo0` (hypothesis H0) or by `elo1` (H1)?

    Attributes:
        elo0: the difference of strength under H0.
        elo1: the difference under H1, above `elo0`.
        alpha: the probability of deciding for H1 if H0 holds.
        beta: the probability of deciding for H0 if H1 holds.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(f"-1000 <= h0 < h1 <= 1000 is needed, got h0 {self.elo0:g} and h1 {self.elo1:g}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, got {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the test decides for H0 and for H1 (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0 after pairs of games.

        Args:
            counts: how many pairs had each of the `PAIR_OUTCOMES`.

        """
        return log_likelihood_ratio(counts, score_of_elo(self.elo0), score_of_elo(self.elo1))

    def decision(self, counts: Sequence[int]) -> str | None:
        """``"H0"`` or ``"H1"``, or None if more games are needed."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def log_likelihood_ratio(counts: Sequence[int], score0: float, score1: float) -> float:
    """How much better a mean of `score1` explains the pairs than one of `score0`.

    Args:
        counts: how many pairs had each of the `PAIR_OUTCOMES`.
        score0, score1: mean shares of a pair's wins, between 0 and 1.

    """
    if not any(counts):
        return 0.0
    pairs = np.maximum(np.asarray(counts, dtype=np.float64), UNSEEN)
    seen = pairs / pairs.sum()
    ratio = np.log(likeliest(seen, score1) / likeliest(seen, score0))
    return float((pairs * ratio).sum())


def likeliest(seen: NDArray[np.float64], score: float) -> NDArray[np.float64]:
    """The distribution of outcomes with a given mean under which what was seen is likeliest.

    It is ``seen / (1 + t * (outcome - score))`` for the one `t` that makes the mean right: what
    Lagrange's method gives.
    """
    distance = PAIR_OUTCOMES - score
    low, high = -1 / distance[-1], -1 / distance[0]
    margin = 1e-9 * (high - low)
    t = brentq(lambda t: float((seen * distance / (1 + t * distance)).sum()), low + margin, high - margin)
    found: NDArray[np.float64] = seen / (1 + t * distance)
    return found
