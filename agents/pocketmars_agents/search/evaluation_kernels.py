"""How a game's positions are evaluated: names that each game's evaluation fills in with kernels.

See `game_kernels.py` in the core; what stands here is never called. `weights` is what the evaluation's
`weights_of` returns.
"""

from typing import Any


def value(state: Any, seat: Any, weights: Any) -> Any:
    """The estimated chance of `seat` to win (float64).

    In a game that is over: 1 or 0, and `MARGIN_WORTH` for each point above the best other seat.
    """


def write_chances(state: Any, weights: Any, values: Any) -> None:
    """Write every seat's estimated chance to win into `values` (MAX_SEATS,) float64; they sum to 1.

    The game is not over, and a turn has just ended.
    """


def write_expected_win_shares(state: Any, mean: Any, values: Any) -> None:
    """Turn the chances to win in `values` into shares by the points that are expected at the end.

    An equal share, and `POINT_WORTH` for each point above the mean; `mean` is the mean score now.
    """
