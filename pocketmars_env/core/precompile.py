"""Compilation of a game's entry points (functions that Python calls) before their first use.

The machine code is cached. Nothing is called: entry points declare their signatures; see `signatures.py`.
"""

import functools
import os
import shutil
import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from pocketmars_env.core.compiled import masks
from pocketmars_env.core.compiled.compile_notice import compile_notice
from pocketmars_env.core.compiled.compiling import IS_COMPILED, cache_folder_of, for_game
from pocketmars_env.core.compiled.kernel_cache import cache_root, is_storing, target
from pocketmars_env.core.compiled.per_game import GameKernels
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
    values = [*vars(spec.batch).values(), *vars(masks).values(), *spec.kernels.parts.values()]
    compile_all(spec.kernels, values, spec.title, "rules", IDLE_SECONDS)


@functools.cache
def ensure_compact_compiled(spec: GameSpec) -> None:
    """Compile a game's rules and its entry points for uint8 observations, unless they are cached."""
    ensure_compiled(spec)
    values = spec.compact.observe_all, spec.compact.observe_at
    compile_all(spec.kernels, values, spec.title, "observations in uint8", COMPACT_SECONDS)


def compile_all(kernels: GameKernels, values: Iterable[Any], title: str, name: str, seconds: int) -> None:
    """Compile entry points for a game, with messages on stderr, unless their machine code is cached."""
    if not IS_COMPILED:
        return
    entry_points = [value for value in values if hasattr(value, "compile_for")]
    with for_game(*kernels.sources):
        folder = cache_folder_of(entry_points[0].py_func)
    ready = folder / f"{name}-{target()}.ready"
    with ONE_THREAD:
        if os.path.exists(ready):  # unlike Path.exists, False for folders that cannot be read
            with suppress(OSError):
                os.utime(cache_root() / folder.relative_to(cache_root()).parts[0])  # marks the folder as used
            return
        with compile_notice(title, name, seconds):
            for entry_point in entry_points:
                entry_point.compile_for(kernels.state)
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
