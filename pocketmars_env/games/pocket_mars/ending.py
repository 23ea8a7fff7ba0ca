"""The reasons why games end (rulebook, "Finishing the game"; R-END)."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS, Termination


def terminations_of(states: States) -> NDArray[np.int64]:
    """Return the `Termination` of each finished game.

    `ALL_SETTLED` takes precedence over `DA_MODULE_EMPTY` if both apply at the end of a round.

    Args:
        states: ``(N,)`` final state records.

    Returns:
        ``(N,)`` int64 array of `Termination` values.

    """
    seats = states["seats"]
    number_of_seats = np.where(states["solo"], 2, states["players"])
    is_at_table = np.arange(MAX_SEATS) < number_of_seats[:, None]
    has_settled_all = (seats["earth"] == 0) & (seats["ship"] == 0) & is_at_table
    by_rules = np.where(has_settled_all.any(axis=1), Termination.ALL_SETTLED, Termination.DA_MODULE_EMPTY)
    return np.where(states["truncated"], Termination.ROUND_LIMIT, by_rules).astype(np.int64)
