"""Default evaluation function, for games without their own in `GameBots`: a softmax of the scores."""

import math
from typing import Any

import numpy as np

from pocketmars_agents.search.objectives import MARGIN_WORTH, POINT_WORTH
from pocketmars_env.core.compiled.card_sets import has
from pocketmars_env.core.compiled.compiling import kernel
from pocketmars_env.core.compiled.game_kernels import number_of_seats, score, winners

REPLY_TOLERANCE = 0.0
STEPS_TO_BOUND = 12.0
"""Number of steps into which `GameSpec.margin_bound` is divided.

A score that is higher by one step multiplies the seat's odds of winning by e.
"""


@kernel
def replies(state: Any) -> int:
    """Return 0: `planner` evaluates positions at the end of its own turn, without replies of other seats."""
    return 0


@kernel
def value(state: Any, seat: int, weights: Any) -> Any:
    """Return the estimated win probability of a seat; see `value` in `evaluation_kernels.py`.

    Until the game is over, the estimate is a softmax of the scores.
    """
    if state.over:
        won = 1.0 if has(winners(state), seat) else 0.0
        return won + MARGIN_WORTH * lead_of(state, seat)
    total = 0.0
    for other in range(number_of_seats(state)):
        total += math.exp((score(state, other) - score(state, seat)) * weights[0])
    return 1.0 / total


@kernel
def lead_of(state: Any, seat: int) -> Any:
    """Return the lead of a seat over the best other seat, in points."""
    most = -np.inf
    for other in range(number_of_seats(state)):
        if other != seat:
            most = max(most, float(score(state, other)))
    return score(state, seat) - most


@kernel
def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Write the estimated win probability of every seat into `values`."""
    for seat in range(number_of_seats(state)):
        values[seat] = value(state, seat, weights)


@kernel
def write_expected_win_shares(state: Any, mean: float, values: Any) -> None:
    """Replace the win probabilities in `values` with win shares based on the current scores."""
    seats = number_of_seats(state)
    for seat in range(seats):
        values[seat] = 1.0 / seats + POINT_WORTH * (score(state, seat) - mean)
