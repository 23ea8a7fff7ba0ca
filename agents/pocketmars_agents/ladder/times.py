"""Processor times of decisions, which do not depend on the load of the machine."""

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.workers import Play


def with_processor_times(play: Play) -> Play:
    """Return a function that plays games and multiplies decision times by the share of processor time."""

    def played(matches: Sequence[Match]) -> list[GameResult]:
        wall, processor = time.perf_counter(), processor_time()
        results = play(matches)
        share = (processor_time() - processor) / (time.perf_counter() - wall)
        return [replace(result, seconds=tuple(share * one for one in result.seconds)) for result in results]

    return played


def processor_time() -> float:
    """Return the processor time of this process and, on Linux, of those that it started, in seconds."""
    parents, ticks = {}, {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text(errors="replace").rpartition(")")[2].split()
            process = int(path.parent.name)
            parents[process], ticks[process] = int(fields[1]), sum(map(int, fields[11:15]))
    ours, added = set[int](), {os.getpid()}
    while added := {process for process in parents if parents[process] in added}:
        ours |= added
    return time.process_time() + sum(ticks[process] / os.sysconf("SC_CLK_TCK") for process in ours)
