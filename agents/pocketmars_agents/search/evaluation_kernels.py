"""Declarations of the evaluation kernels, which each game's evaluation implements.

As in the core's `game_kernels.py`, the functions below are never called; they document the kernels. The
argument `weights` is the result of `Evaluation.weights_of`.
"""

from typing import Any

REPLY_TOLERANCE = 0.02
"""How much worse than the best a sequence of actions may be so that `planner` still plays replies after it.

The unit is win probability, and the best is that of the sequences with the same first action. If infinite,
`planner` plays replies after every sequence.
"""


def replies(state: Any) -> Any:
    """The maximum number of other seats' turns that `planner` plays greedily before it evaluates a position.

    `state` is the position in which `planner` chooses an action.
    """


def value(state: Any, seat: Any, weights: Any) -> Any:
    """The estimated win probability of `seat` (float64).

    If the game is over, the result is 1 for a sole win, 0 for a loss, and a game-specific value for a shared
    win, plus `MARGIN_WORTH` times the seat's lead in points over the best other seat. The lead of a seat that
    is behind is negative.
    """


def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Writes the estimated win probability of every seat into `values`, ``(MAX_SEATS,)`` float64.

    The probabilities sum to 1. The game must not be over. PUCT search also calls this kernel in the middle of
    a turn.
    """


def write_expected_win_shares(state: Any, mean: Any, values: Any) -> None:
    """Replaces the win probabilities in `values` with win shares based on the expected final scores.

    With n seats, the share of a seat is ``1 / n + POINT_WORTH * d``, where d is the seat's expected final
    score minus the mean of all expected final scores. `mean` is the mean of the current scores.
    """
