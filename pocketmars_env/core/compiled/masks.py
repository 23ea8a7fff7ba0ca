"""Sampling of random legal actions from action masks, for many games at once."""

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled import chance
from pocketmars_env.core.compiled.compiling import entry_point, kernel
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.seeds import draw_seed


def sample_actions(
    masks: NDArray[np.int8] | NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Sample a uniformly random legal action for every row of `masks`.

    The distribution is the same as with ``Discrete.sample(mask)`` for each row, but sampling is about a
    hundred times as fast.

    Args:
        masks: ``(N, NUM_ACTIONS)`` int8 or bool, such as ``infos["action_mask"]``.
        rng: the generator from which one seed is drawn per call.

    Returns:
        ``(N,)`` int64: the actions; 0 for a row of zeros.

    Raises:
        ValueError: if `masks` is not a NumPy array, or has a wrong shape or dtype.

    """
    if not isinstance(masks, np.ndarray) or masks.dtype not in (np.int8, np.bool_):
        raise ValueError(
            f"masks must be a NumPy array of int8 or bool, got {quoted(getattr(masks, 'dtype', masks))}"
        )
    if masks.ndim != 2 or masks.shape[1] == 0:
        raise ValueError(f"masks must have the shape (N, NUM_ACTIONS), got {masks.shape}")
    actions = np.empty(len(masks), dtype=np.int64)
    seed = draw_seed(rng)
    choose_by_masks(np.ascontiguousarray(masks).view(np.int8), seed, actions)
    return actions


@entry_point
def choose_by_masks(masks: Matrix[np.int8], seed: np.uint64, actions: Vector[np.int64]) -> None:
    """For each row of `masks` (N, NUM_ACTIONS), write a random legal action into `actions`, or 0."""
    for i in range(len(masks)):
        allowed = 0
        for action in range(masks.shape[1]):
            allowed += masks[i, action] != 0
        actions[i] = nth_allowed(masks[i], chance.random_number(seed, i, allowed))


@kernel
def nth_allowed(mask, n):
    """Return the `n`-th legal action of the mask, counting from 0; 0 if there is no such action."""
    for action in range(len(mask)):
        if mask[action] != 0:
            if n == 0:
                return action
            n -= 1
    return 0
