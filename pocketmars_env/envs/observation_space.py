"""The observation spaces of the environments."""

from typing import Any

import numpy as np
from gymnasium import spaces

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.observation_dtype import FLOAT32, LARGEST_COUNT
from pocketmars_env.core.settings import check_choice

IN_OBSERVATION, IN_INFO = "observation", "info"
"""The accepted values of the setting `action_mask`, which selects where the action masks are returned."""
OBSERVATION_KEYS = ("observation", "action_mask")


def observation_box(spec: GameSpec, dtype: np.dtype[Any], seats: int = 1) -> spaces.Box:
    """Return the space of a seat's observation, or of the concatenated observations of several seats."""
    if dtype == FLOAT32:
        return spaces.Box(0.0, 1.0, (seats * spec.observation_size,), np.float32)
    largest = np.minimum(np.rint(1 / spec.scales), LARGEST_COUNT).astype(np.uint8)
    high = np.tile(largest, seats)
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)


def new_observation_space(
    spec: GameSpec,
    dtype: np.dtype[Any] = FLOAT32,
    action_mask: str = IN_OBSERVATION,
    keys: tuple[str, str] = OBSERVATION_KEYS,
) -> spaces.Box | spaces.Dict:
    """Return the space of a seat's observations: vectors, or dictionaries with a vector and a mask."""
    check_choice("action_mask", action_mask, (IN_OBSERVATION, IN_INFO))
    if not isinstance(keys, tuple | list) or len(keys) != 2 or len({*map(str, keys)}) != 2:
        raise ValueError(f"observation_keys must be two different strings, got {keys!r}")
    box = observation_box(spec, dtype)
    if action_mask == IN_INFO:
        return box
    mask = spaces.Box(0, 1, (spec.num_actions,), np.int8)
    return spaces.Dict([*zip(keys, (box, mask))])  # pairs, because `Dict` would sort the keys of a dict
