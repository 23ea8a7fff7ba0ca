"""Declarations of the evaluation kernels, which each game's evaluation implements.

As in `pocketmars_env/core/compiled/game_kernels.py`, the functions in this module are never called; they
document the kernels.
"""

from typing import Any

Weights = Any
"""The type of the argument `weights`, which is the result of `Evaluation.weights_of`."""
REPLY_TOLERANCE = 0.02
"""Maximum difference in win probability for which `planner` plays replies after a sequence of actions.

A reply is a turn of another seat. The difference is the estimated win probability after the best sequence
with the same first action, minus the estimate after this sequence. If this constant is infinite, `planner`
plays replies after every sequence.
"""


def replies(state: Any) -> Any:
    """Return the maximum number of other seats' turns that `planner` plays greedily before an evaluation.

    `state` is the position in which `planner` chooses an action.
    """


def value(state: Any, seat: Any, weights: Any) -> Any:
    """Return the estimated win probability of `seat` (float64).

    If the game is over, the result is the sum of two terms. The first term is 1 for a sole win, 0 for a loss,
    and a game-specific value for a shared win. The second term is `MARGIN_WORTH` times the difference between
    the seat's score and the highest score of the other seats.
    """


def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Write the estimated win probability of every seat into `values`, ``(MAX_SEATS,)`` float64.

    The probabilities sum to 1. The game must not be over. PUCT search also calls this kernel in the middle of
    a turn.
    """


def write_expected_win_shares(state: Any, mean: Any, values: Any) -> None:
    """Replace the win probabilities in `values` with win shares based on the expected final scores.

    With n seats, the share of a seat is ``1 / n + POINT_WORTH * d``, where d is the seat's expected final
    score minus the mean of all expected final scores. `mean` is the mean of the current scores.
    """
