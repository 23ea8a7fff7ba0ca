"""The two dtypes of observations: float32 in [0, 1], and uint8 for unscaled counts."""

from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.compiled.per_game import GameKernels
from pocketmars_env.core.compiled.states import States
from pocketmars_env.core.compiled.threads import in_threads
from pocketmars_env.core.game_spec import Config, GameSpec
from pocketmars_env.core.precompile import ensure_compact_compiled
from pocketmars_env.core.settings import check_choice

OBSERVATION_DTYPES = ("float32", "uint8")
LARGEST_COUNT = 255
"""The largest count that uint8 can represent."""
FLOAT32 = np.dtype(np.float32)

Outputs = tuple[NDArray[Any], NDArray[np.int8]]
"""Observations ``(n, OBSERVATION_SIZE)`` float32 or uint8, and action masks ``(n, NUM_ACTIONS)`` int8."""


def observation_dtype_of(spec: GameSpec, config: Config, name: str) -> np.dtype[Any]:
    """Return the dtype for a value of the setting `observation_dtype`.

    For uint8, first compile the functions that write uint8 observations, unless they are cached.
    """
    check_choice("observation_dtype", name, OBSERVATION_DTYPES)
    if name == "uint8":
        if "write_counts" not in spec.kernels.parts:
            raise ValueError(f"{spec.title} does not support uint8 observations")
        if config.largest_count > LARGEST_COUNT:
            reason = f"these settings allow {config.largest_count}"
            raise ValueError(f"observation_dtype='uint8' allows counts up to {LARGEST_COUNT}; {reason}")
        ensure_compact_compiled(spec)
    return np.dtype(name)


def entry_points_of(spec: GameSpec, dtype: np.dtype[Any]) -> ModuleType:
    """Return the game's module `batch.py`, compiled for observations of the given dtype."""
    return spec.batch if dtype == FLOAT32 else spec.compact


def kernels_of(spec: GameSpec, dtype: np.dtype[Any]) -> GameKernels:
    """Return the game's kernels for observations of the given dtype."""
    return spec.kernels if dtype == FLOAT32 else spec.kernels.for_counts


def observe_all(
    spec: GameSpec,
    states: States,
    seats: NDArray[np.int64],
    dtype: np.dtype[Any],
    num_threads: int,
    out: Outputs | None = None,
) -> Outputs:
    """Write the observation and action mask of one seat per game into `out`, by default new arrays.

    Args:
        states: ``(n,)`` state records.
        seats: ``(n,)`` int64; -1 selects the seat to play (seat 0 in finished games).
        dtype: the dtype of the observations, float32 or uint8.
        num_threads: the maximum number of threads.
        out: arrays for the results (see `Outputs`).

    """
    observations, masks = out or (
        np.empty((len(states), spec.observation_size), dtype=dtype),
        np.empty((len(states), spec.num_actions), dtype=np.int8),
    )
    write_all = entry_points_of(spec, dtype).observe_all

    def write(rows: slice) -> None:
        write_all(states[rows], seats[rows], observations[rows], masks[rows])

    in_threads(write, len(states), num_threads)
    return observations, masks
