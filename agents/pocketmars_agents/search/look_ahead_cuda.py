"""The look-ahead search of `greedy` and `planner` as a CUDA kernel; see `look_ahead.py`."""

import functools
from typing import Any

from pocketmars_agents.search.look_ahead import best_action
from pocketmars_env.core.compiled import chance
from pocketmars_env.core.cuda.device import cuda_module
from pocketmars_env.core.cuda.device_functions import device_kernel

cuda = cuda_module()


# On two cores, compiling took 40 s, and over six minutes with link-time optimization.
@functools.partial(device_kernel, lto=False)
def choose_actions(
    states: Any,
    indices: Any,
    seed: Any,
    determinizations: int,
    is_planner: bool,
    weights: Any,
    lines: Any,
    tried: Any,
    values: Any,
    actions: Any,
) -> None:
    """For each selected game, writes the best action of the seat to play into `actions`.

    Each of T threads handles every T-th selected game. `best_action` gets a separate seed for each game: in
    game `i`, the 64-bit word `i` of the random stream with the seed `seed`.

    Args:
        states: ``(N,)`` state records.
        indices: ``(n,)`` int64, the selected games; finished games and invalid indices are skipped.
        seed: uint64, the seed of the determinizations.
        determinizations: number of determinizations for each game.
        is_planner: see `best_actions`.
        weights: see `best_actions`.
        lines: ``(T, ...)`` state records, a line of play for each thread; overwritten.
        tried: ``(T, MAX_DECISIONS + 1)`` int64, a buffer for each thread; overwritten.
        values: ``(T, NUM_ACTIONS)`` float64, a buffer for each thread; overwritten.
        actions: ``(N,)`` int64; written only for the selected games.

    """
    thread = cuda.grid(1)
    place = thread
    while thread < len(lines) and place < len(indices):
        i = indices[place]
        if 0 <= i < len(states) and not states[i].over:
            actions[i] = best_action(
                states[i],
                states[i].to_play,
                chance.long_word(seed, i),
                determinizations,
                is_planner,
                weights,
                lines[thread],
                tried[thread],
                values[thread],
            )
        place += len(lines)
