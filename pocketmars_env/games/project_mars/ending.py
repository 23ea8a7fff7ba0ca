"""Why games are over, derived from their final states."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.project_mars.rules.constants import ROUNDS, Termination


def terminations_of(states: States) -> NDArray[np.int64]:
    """The `Termination` of finished games, ``(N,)`` int64, of N final state records."""
    is_third = states["round_number"] == ROUNDS
    return np.where(is_third, Termination.THREE_ROUNDS, Termination.TWO_ROUNDS).astype(np.int64)
