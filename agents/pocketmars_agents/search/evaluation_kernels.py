"""Declarations of the evaluation kernels, which each game's evaluation implements.

The functions below are never called, like those in the core's `game_kernels.py`. The argument `weights` is
the result of `Evaluation.weights_of`.
"""

from typing import Any

REPLIES = 0
"""The number of other seats' turns that `planner` plays out greedily before it evaluates a position."""


def value(state: Any, seat: Any, weights: Any) -> Any:
    """The estimated win probability of `seat` (float64).

    If the game is over, the result is 1 for a winner and 0 for other seats, plus `MARGIN_WORTH` for each
    point above the best other seat.
    """


def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Writes the estimated win probability of every seat into `values`, ``(MAX_SEATS,)`` float64.

    The probabilities sum to 1. The game must be at the end of a turn and not over.
    """


def write_expected_win_shares(state: Any, mean: Any, values: Any) -> None:
    """Replaces the win probabilities in `values` with shares based on the expected final scores.

    The share of a seat is an equal share plus `POINT_WORTH` for each expected point above the mean. `mean` is
    the current mean score.
    """
