"""Nash averaging and α-rank: evaluations of bots that beat each other in cycles.

Both treat the win rates between bots as a zero-sum game of two players, in which each player chooses a bot:
the *meta-game*. See Balduzzi et al., "Re-evaluating Evaluation", NeurIPS 2018, and Omidshafiei et al.,
"α-Rank: Multi-Agent Evaluation by Evolution", Scientific Reports 9 (2019).
"""

import numpy as np
import scipy  # loads its submodules at their first use
from numpy.typing import NDArray

Rates = NDArray[np.float64]
"""``(bots, bots)``: the win rate of the row's bot against the column's bot; the diagonal is ignored."""

TOLERANCE = 1e-9


def nash_average(rates: Rates) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the maximum-entropy Nash equilibrium of the meta-game, and each bot's win rate against it.

    A strictly complementary equilibrium, from a linear program, has all bots that occur in any equilibrium.
    The other equilibria differ from it only by vectors in a null space, in which the entropy is maximized.
    """
    payoffs = (rates - rates.T) / 2
    bots = len(payoffs)
    # Variables: the equilibrium p and t. Every bot has p[i] >= t or loses at least t - p[i]; t is maximized.
    slack = np.hstack([payoffs - np.eye(bots), np.ones((bots, 1))])
    losing = np.hstack([payoffs, np.zeros((bots, 1))])
    solution = scipy.optimize.linprog(
        np.append(np.zeros(bots), -1.0),
        A_ub=np.vstack([slack, losing]),
        b_ub=np.zeros(2 * bots),
        A_eq=np.append(np.ones(bots), 0.0)[None],
        b_eq=[1.0],
    ).x[:bots]
    is_used = solution > -payoffs @ solution
    used, unused = payoffs[np.ix_(is_used, is_used)], payoffs[np.ix_(~is_used, is_used)]
    start = solution[is_used] / solution[is_used].sum()
    changes = scipy.linalg.null_space(np.vstack([used, np.ones(len(used))]), rcond=TOLERANCE)
    if changes.size:
        bounds = np.vstack([np.eye(len(used)), -unused])

        def loss(z: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            """Return the negative entropy and its gradient."""
            p = start + changes @ z
            logs = np.log(np.maximum(p, TOLERANCE))
            return float(p @ logs), (1 + logs) @ changes

        inside = {"type": "ineq", "fun": lambda z: bounds @ (start + changes @ z)}
        zeros, options = np.zeros(changes.shape[1]), {"ftol": TOLERANCE}
        start = (
            start
            + changes @ scipy.optimize.minimize(loss, zeros, jac=True, constraints=inside, options=options).x
        )
    equilibrium = np.zeros(bots)
    equilibrium[is_used] = start
    return equilibrium, 0.5 + payoffs @ equilibrium


def alpha_rank(rates: Rates) -> NDArray[np.float64]:
    """Return the α-rank of every bot, in the limit of an infinite α.

    It is the stationary distribution of a population that meets a random other bot at every step and adopts
    it if it has the higher win rate, or with probability 1/2 if the rates are equal. Of two bots, at least
    one can replace the other, so there is only one such distribution, and the limit needs no noise.
    """
    bots = len(rates)
    moves = (1 + np.sign(rates.T - rates)) / 2 / max(bots - 1, 1)  # from the row's bot to the column's
    np.fill_diagonal(moves, 0)
    flows = moves.T - np.diag(moves.sum(axis=1))
    equations, sums = np.vstack([flows, np.ones(bots)]), np.append(np.zeros(bots), 1.0)
    distribution: NDArray[np.float64] = np.linalg.lstsq(equations, sums, rcond=None)[0]
    return distribution.clip(0)
