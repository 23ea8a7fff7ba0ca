"""A sequential test that compares two bots.

This is the generalized sequential probability ratio test (GSPRT) on pairs of games: two bots play every deal
twice, with the seats swapped the second time. A pair has one of five outcomes: the first bot gets 0, ½, 1, 1½
or 2 wins, where ½ is a shared win. Each of the two hypotheses specifies a difference in logistic Elo, which
determines the mean outcome. For each hypothesis, the test fits the maximum-likelihood distribution of
outcomes with this mean. The test statistic is the log-likelihood ratio of the two fitted distributions. The
chess testing frameworks Fishtest and OpenBench use the same "pentanomial" test; see Van den Bergh, "A
practical introduction to the GSPRT" (2020), and Wald, "Sequential tests of statistical hypotheses" (1945).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy  # loads its submodules at their first use
from numpy.typing import NDArray

PAIR_OUTCOMES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The possible outcomes of a pair, as the first bot's share of the two wins."""
UNSEEN = 1e-3
"""Pseudocount for outcomes that have not occurred, so that the fit exists for any mean between 0 and 1."""


def score_of_elo(elo: float) -> float:
    """Return the expected score for an Elo difference, e.g. 0.5 for 0 and 10/11 for 400."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of_score(score: float) -> float:
    """Return the Elo difference for an expected score; minus infinity for 0, plus infinity for 1."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


@dataclass(frozen=True)
class SequentialTest:
    """A test of two hypotheses, H0 and H1, about the first bot's Elo minus the second bot's Elo."""

    elo0: float = 0.0  # the Elo difference under H0
    elo1: float = 20.0  # under H1
    alpha: float = 0.05  # the nominal probability of accepting H1 if H0 holds
    beta: float = 0.05  # the nominal probability of accepting H0 if H1 holds

    def __post_init__(self) -> None:
        if not -1000 <= self.elo0 < self.elo1 <= 1000:
            raise ValueError(
                f"-1000 <= elo0 < elo1 <= 1000 is needed, got elo0 {self.elo0:g} and elo1 {self.elo1:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must be above 0 and below 0.5, got {getattr(self, name):g}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Wald's lower and upper bounds on the log-likelihood ratio.

        H0 is accepted at or below the lower bound, and H1 at or above the upper bound.
        """
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0, given the number of pairs with each outcome.

        The result is 0 if there are no pairs.
        """
        if not any(counts):
            return 0.0
        pairs = np.maximum(np.asarray(counts, dtype=np.float64), UNSEEN)
        seen = pairs / pairs.sum()
        ratio = np.log(likeliest(seen, score_of_elo(self.elo1)) / likeliest(seen, score_of_elo(self.elo0)))
        return float((pairs * ratio).sum())

    def decision(self, counts: Sequence[int]) -> str | None:
        """Return the accepted hypothesis, ``"H0"`` or ``"H1"``, or None if more games are needed."""
        low, high = self.bounds
        ratio = self.ratio(counts)
        return "H1" if ratio >= high else "H0" if ratio <= low else None


def likeliest(seen: NDArray[np.float64], score: float) -> NDArray[np.float64]:
    """Return the maximum-likelihood distribution of outcomes with the mean `score`.

    By the method of Lagrange multipliers, this distribution is ``seen / (1 + t * (outcome - score))``, with
    the unique `t` for which its mean is `score`.

    Args:
        seen: ``(5,)`` float64 relative frequencies of the `PAIR_OUTCOMES`; all above 0, with sum 1.
        score: the mean, above 0 and below 1.

    """
    distance = PAIR_OUTCOMES - score
    low, high = -1 / distance[-1], -1 / distance[0]
    margin = 1e-9 * (high - low)
    t = scipy.optimize.brentq(
        lambda t: float((seen * distance / (1 + t * distance)).sum()), low + margin, high - margin
    )
    distribution: NDArray[np.float64] = seen / (1 + t * distance)
    return distribution
