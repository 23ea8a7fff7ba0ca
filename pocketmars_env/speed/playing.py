"""Code shared by all benchmark rows: game loops and the choice of actions."""

import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

Play = Callable[[int], int]
"""Makes at least the given number of decisions by random legal play; returns their exact number."""

DRAWN_AHEAD = 2**16


@dataclass(frozen=True)
class Row:
    """A row of the benchmark.

    Attributes:
        name: its parts from general to specific, separated by slashes.
        start: sets up the play.
        module: a module that must be importable; None if only this package is needed.
        package: the package to install for that module.

    """

    name: str
    start: Callable[[], Play]
    module: str | None = None
    package: str = ""

    @property
    def is_installed(self) -> bool:
        return self.module is None or importlib.util.find_spec(self.module) is not None


def new_draw() -> Callable[[], float]:
    """A fast source of random numbers in [0, 1), drawn in advance."""
    return cycle(np.random.default_rng(0).random(DRAWN_AHEAD).tolist()).__next__


def new_choose() -> Callable[[Sequence[int] | NDArray[np.int64]], int]:
    """The random choice of all rows that are played from Python."""
    draw = new_draw()

    def choose(actions: Sequence[int] | NDArray[np.int64]) -> int:
        return actions[int(draw() * len(actions))]

    return choose


def play_choices(mask: NDArray[np.int8]) -> Play:
    """The choice from a mask alone: its cost is part of every row of an environment."""
    choose = new_choose()

    def play(count: int) -> int:
        for _ in range(count):
            choose(mask.nonzero()[0])
        return count

    return play


def play_aec(env: Any) -> Play:
    """PettingZoo's loop: last, a random legal action, step; a reset at the end."""
    choose = new_choose()
    env.reset(seed=0)

    def play(count: int) -> int:
        made = 0
        while made < count:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(choose(observation["action_mask"].nonzero()[0]))
                made += 1
        return count

    return play


def play_gymnasium(env: Any) -> Play:
    """Gymnasium's loop: a random action from ``info["action_mask"]``, step; a reset at the end."""
    choose = new_choose()
    _, info = env.reset(seed=0)

    def play(count: int) -> int:
        nonlocal info
        for _ in range(count):
            _, _, terminated, truncated, info = env.step(choose(info["action_mask"].nonzero()[0]))
            if terminated or truncated:
                _, info = env.reset()
        return count

    return play
