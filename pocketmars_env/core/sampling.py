"""Random legal play from action masks, for many games at once."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core import batch
from pocketmars_env.core.warming import ensure_compiled
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS


def sample_actions(
    masks: NDArray[np.int8] | NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int64]:
    """``(N,)`` int64: for every row of `masks` a random action that it allows, 0 if it allows none.

    All allowed actions are equally likely. The same as ``Discrete.sample(mask)`` row by row, but
    some hundred times as fast.

    Args:
        masks: ``(N, NUM_ACTIONS)`` int8 or bool, such as ``infos["action_mask"]``.
        rng: decides the choices.

    Raises:
        ValueError: for masks of another shape or type.

    """
    if not isinstance(masks, np.ndarray) or masks.dtype not in (np.int8, np.bool_):
        raise ValueError(
            f"masks must be a NumPy array of int8 or bool, got {getattr(masks, 'dtype', masks)!r}"
        )
    if masks.ndim != 2 or masks.shape[1] != NUM_ACTIONS:
        raise ValueError(f"masks must have the shape (N, {NUM_ACTIONS}), got {masks.shape}")
    ensure_compiled()
    actions = np.empty(len(masks), dtype=np.int64)
    seed = rng.integers(0, 2**64, dtype=np.uint64)
    batch.choose_by_masks(np.ascontiguousarray(masks).view(np.int8), seed, 0, actions)
    return actions
