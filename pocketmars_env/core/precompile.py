"""Compilation of a game's entry points (functions that Python calls) before their first use.

The machine code is cached.
"""

import functools
import os
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress

import llvmlite.binding as llvm
import numpy as np

from pocketmars_env.core.compiled import masks
from pocketmars_env.core.compiled.compile_notice import compile_notice
from pocketmars_env.core.compiled.compiling import IS_COMPILED, cache_folder_of, for_game
from pocketmars_env.core.compiled.kernel_cache import cache_root, is_storing
from pocketmars_env.core.game_spec import GameSpec

IDLE_SECONDS = 25
"""The approximate compile time of the rules, in seconds on two idle cores."""
COMPACT_SECONDS = 5
"""The approximate compile time of the entry points for uint8 observations, in seconds on two idle cores."""
ONE_THREAD = threading.RLock()
"""A lock that `compile_all` holds during compilation; other threads wait and then use the result."""
CACHES_KEPT = 9
"""The number of cache folders to keep. One version of the sources has up to four cache folders, and four more
if it is also compiled with bounds checks."""


@functools.cache
def ensure_compiled(spec: GameSpec) -> None:
    """Compile the entry points of a game's rules, unless their machine code is cached; see `compile_all`."""
    with for_game(*spec.kernels.sources):
        compile_all(lambda: precompile(spec), "rules", spec.title, IDLE_SECONDS)


def precompile(spec: GameSpec) -> None:
    """Call each entry point of the rules once with arguments of the usual types, to compile it."""
    batch = spec.batch
    states = spec.codec.blank(1, spec.config())
    seed = np.uint64(0)
    which = np.ones(1, dtype=np.bool_)
    actions = np.zeros(spec.num_actions, dtype=np.int64)
    mask = np.zeros((1, spec.num_actions), dtype=np.int8)
    observation = np.zeros((1, spec.observation_size), dtype=np.float32)
    scores = np.zeros((1, spec.max_seats), dtype=np.int64)
    seats = np.zeros(1, dtype=np.int64)
    words = np.zeros(1, dtype=np.uint64)
    batch.new_games(states, np.zeros(1, dtype=np.uint64), which)
    batch.new_game_at(states, 0, seed)
    batch.legal_at(states, 0, actions)
    batch.step_at(states, 0, int(actions[0]))
    batch.mask_at(states, 0, 0, mask[0])
    batch.observe_at(states, 0, 0, observation[0], mask[0])
    batch.determinize_at(states, 0, 0, seed, True, states.copy(), 0)
    batch.mask_all(states, mask)
    batch.observe_all(states, seats, observation, mask)
    batch.scores_at(states, 0, scores[0])
    batch.scores_all(states, scores, seats)
    batch.terminations_all(states, seats)
    batch.choose_all(states, seed, 0, words, seats)
    zeros, choices = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    batch.views_of(states, zeros, zeros, states.copy())
    batch.next_words(words.copy(), zeros.copy(), zeros, words)
    batch.choose_by_words(states, words, choices)
    batch.first_illegal(states, zeros, np.full(1, -1))
    batch.step_some(states, zeros[:0], choices[:0])
    batch.play_all(states, seed, 1, words, mask, observation)
    masks.choose_by_masks(mask, seed, 0, choices)
    spec.precompile()


@functools.cache
def ensure_compact_compiled(spec: GameSpec) -> None:
    """Compile a game's rules and its entry points for uint8 observations, unless they are cached."""
    ensure_compiled(spec)
    with for_game(*spec.kernels.sources):
        compile_all(lambda: precompile_compact(spec), "observations in uint8", spec.title, COMPACT_SECONDS)


def precompile_compact(spec: GameSpec) -> None:
    """Call the entry points `observe_all` and `observe_at` for uint8 observations once, to compile them."""
    states = spec.codec.blank(1, spec.config())
    spec.batch.new_game_at(states, 0, np.uint64(0))
    mask = np.zeros((1, spec.num_actions), dtype=np.int8)
    counts = np.zeros((1, spec.observation_size), dtype=np.uint8)
    spec.compact.observe_all(states, np.zeros(1, dtype=np.int64), counts, mask)
    spec.compact.observe_at(states, 0, 0, counts[0], mask[0])


def compile_all(call_all: Callable[[], None], what: str, title: str, seconds: int) -> None:
    """Compile kernels and print messages on stderr, unless the machine code of the kernels is cached.

    With ``NUMBA_DISABLE_JIT=1``, do nothing.

    Args:
        call_all: a function that calls every entry point with arguments of the usual types;
            `cache_folder_of(call_all)` is the cache folder.
        what: the name of the kernels in messages, such as ``"rules"``.
        title: the title of the game.
        seconds: the expected compile time on two idle cores.

    """
    folder = cache_folder_of(call_all)
    ready = folder / f"{what}-{llvm.get_host_cpu_name()}.ready"
    if not IS_COMPILED:
        return
    with ONE_THREAD:
        if os.path.exists(ready):  # unlike Path.exists, False for folders that cannot be read
            with suppress(OSError):
                os.utime(cache_root() / folder.relative_to(cache_root()).parts[0])  # marks the folder as used
            return
        with compile_notice(title, what, seconds):
            call_all()
        with suppress(OSError):  # if the folder is read-only, the next process compiles again
            if is_storing():
                folder.mkdir(parents=True, exist_ok=True)
                ready.touch()
            remove_old_caches(CACHES_KEPT)


def remove_old_caches(keep: int) -> None:
    """Delete all cache folders except the `keep` most recently used ones."""
    folders = [folder for folder in cache_root().iterdir() if folder.is_dir()]
    folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[keep:]:
        shutil.rmtree(folder, ignore_errors=True)
