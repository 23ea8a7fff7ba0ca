"""The observation spaces of the environments."""

from typing import Any

import numpy as np
from gymnasium import spaces

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, LARGEST_COUNT


def observation_box(spec: GameSpec, dtype: np.dtype[Any], seats: int = 1) -> spaces.Box:
    """Return the space of a seat's observation, or of the concatenated observations of several seats.

    Args:
        dtype: `FLOAT32` for entries in [0, 1], or uint8 for counts; a count is at most the reciprocal of its
            scale (see `GameSpec.scales`), and at most 255.
        seats: the number of seats whose observations are concatenated.

    """
    if dtype == FLOAT32:
        return spaces.Box(0.0, 1.0, (seats * spec.observation_size,), np.float32)
    largest = np.minimum(np.rint(1 / spec.scales), LARGEST_COUNT).astype(np.uint8)
    high = np.tile(largest, seats)
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
