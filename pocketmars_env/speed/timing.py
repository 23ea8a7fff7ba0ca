"""Timing of random play.

The rows of the benchmark are measured in turn, each for a short time, so that other load on the machine
affects all rows alike.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

ROUNDS = 5
CALIBRATION = 0.2
"""The shortest time accepted for calibration, as a fraction of a row's time in one round.

`calibrated_length` doubles the number of `Play` items until they take at least this time.
"""
DRAWN_AHEAD = 2**16

Play = Iterator[int]
"""An endless iterator that plays games; each item is the number of decisions since the previous item."""


@dataclass(frozen=True)
class Row:
    """A row of the benchmark.

    Attributes:
        name: the row's name, with parts from general to specific, separated by slashes.
        start: a function that returns the iterator to measure.
        module: a module that the row needs in addition to the base installation, or None.
        package: the arguments with which pip installs `module`, in a clone; empty if `module` is None.
        clock: a function that returns the time in seconds; by default the processor time of this process.

    """

    name: str
    start: Callable[[], Play]
    module: str | None = None
    package: str = ""
    clock: Callable[[], float] = time.process_time

    @property
    def is_installed(self) -> bool:
        return self.module is None or find_spec(self.module) is not None


def is_within(name: str, prefix: str) -> bool:
    """Return whether the first parts of a row's name equal the parts of `prefix`."""
    return f"{name}/".startswith(f"{prefix}/")


def measure(rows: Sequence[Row], seconds: float) -> dict[str, list[float]]:
    """Measure the decisions per second of every row; if stderr is a terminal, show a progress bar."""
    plays = {row: row.start() for row in rows}
    for play in plays.values():
        next(play)  # compilation and imports are not measured
    lengths = {row: calibrated_length(row, play, seconds / ROUNDS) for row, play in plays.items()}
    rates: dict[str, list[float]] = {row.name: [] for row in rows}
    console = Console(stderr=True)
    turns = [row for _ in range(ROUNDS) for row in rows]
    for row in track(turns, "measuring", console=console, transient=True, disable=not console.is_terminal):
        decisions, elapsed = timed(row, plays[row], lengths[row])
        rates[row.name].append(decisions / elapsed)
    return rates


def calibrated_length(row: Row, play: Play, seconds: float) -> int:
    """Measure how many items of `play` take about `seconds`; the result is at least 1."""
    length = 1
    while (elapsed := timed(row, play, length)[1]) < seconds * CALIBRATION:
        length *= 2
    return max(1, round(length * seconds / elapsed))


def timed(row: Row, play: Play, length: int) -> tuple[int, float]:
    """Run the next `length` items of `play`, and return the number of decisions and the time in seconds."""
    start = row.clock()
    decisions = sum(islice(play, length))
    # On some systems the clock advances only every 16 ms, so the difference can be 0.
    return decisions, max(row.clock() - start, 1e-9)


# --- random legal play from Python ----------------------------------------------------------------------


def new_draw() -> Callable[[], float]:
    """Return a function that cycles through random numbers in [0, 1), drawn in advance for speed."""
    return cycle(np.random.default_rng(0).random(DRAWN_AHEAD).tolist()).__next__


def new_choose() -> Callable[[Sequence[int] | NDArray[np.int64]], int]:
    """Return a function that chooses one of the given actions at random, with little overhead per call."""
    draw = new_draw()
    return lambda actions: actions[int(draw() * len(actions))]


def play_aec(env: Any) -> Play:
    """Play a PettingZoo AEC environment with random legal actions; reset it after each episode."""
    choose = new_choose()
    env.reset(seed=0)
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
        else:
            env.step(choose(observation["action_mask"].nonzero()[0]))
            yield 1
