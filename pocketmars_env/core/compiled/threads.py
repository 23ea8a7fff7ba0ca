"""Multithreaded execution of compiled functions on slices of a batch."""

import functools
import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TypeVar

from pocketmars_env.core.errors import quoted

MAX_THREADS = 256
MIN_PART = 512
"""The minimum number of rows per thread for calls that take half a microsecond per row, such as observations.

More threads with fewer rows each would gain little, because waking a thread takes about 100 µs.
"""
MIN_SHORT_PART = 4096
"""The minimum number of rows per thread for calls that take at most 0.1 µs per row, such as steps."""

Result = TypeVar("Result")


def check_threads(num_threads: object) -> int:
    """Check and return a number of threads."""
    if type(num_threads) is not int or not 1 <= num_threads <= MAX_THREADS:
        raise ValueError(f"num_threads must be an integer in 1..{MAX_THREADS}, got {quoted(num_threads)}")
    return num_threads


def in_threads(
    call: Callable[[slice], Result], count: int, num_threads: int, min_part: int = MIN_PART
) -> list[Result]:
    """Call a function in parallel for consecutive slices that together cover all rows."""
    parts = min(num_threads, max(1, count // min_part))
    if parts == 1:
        return [call(slice(0, count))]
    ends = [count * part // parts for part in range(parts + 1)]
    first, *others = [slice(start, end) for start, end in itertools.pairwise(ends)]
    waiting = [executor(num_threads).submit(call, part) for part in others]
    try:
        results = [call(first)]
    finally:
        wait(waiting)  # even after an error, because the threads write into the caller's arrays
    return results + [future.result() for future in waiting]


@functools.cache
def executor(num_threads: int) -> ThreadPoolExecutor:
    """Return a pool of ``num_threads - 1`` threads, which work in addition to the calling thread."""
    return ThreadPoolExecutor(num_threads - 1, thread_name_prefix="pocketmars_env")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=executor.cache_clear)  # a forked process does not inherit threads
