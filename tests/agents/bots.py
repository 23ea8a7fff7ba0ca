"""Bots that misbehave, for the tests of code that plays games."""

import asyncio
import multiprocessing
import os
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.usage import Usage
from pocketmars_env import NUM_ACTIONS, View, Views
from pocketmars_env.core.game_spec import GameSpec


class Prepared:
    """Plays only games for which it has been prepared, which takes a while."""

    name = "prepared"

    def prepare(self, spec: GameSpec) -> None:
        time.sleep(0.2)
        self.spec = spec

    def act(self, view: View, rng: np.random.Generator) -> int:
        return view.legal[0] if self.spec is view.spec else -1


class Unprepared(Prepared):
    name = "unprepared"

    def prepare(self, spec: GameSpec) -> None:
        raise LookupError("lost my books")


class Raising:
    name = "raising"

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise LookupError("lost my notes")


class Quitting:
    name = "quitting"

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise SystemExit("I\nresign")


class Cancelled:
    name = "cancelled"

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise asyncio.CancelledError


class Unprintable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class Speechless:
    """Raises exceptions without a text, also when its usage is asked for."""

    name = "speechless"

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise Unprintable

    def take_usage(self) -> Usage:
        raise Unprintable


class Illegal:
    """Returns legal actions at first, and then an illegal one."""

    name = "illegal"

    def __init__(self) -> None:
        self.answers = 0

    def act(self, view: View, rng: np.random.Generator) -> int:
        self.answers += 1
        return illegal_in(view) if self.answers > 3 else view.legal[0]


def illegal_in(view: View) -> int:
    return next(action for action in range(NUM_ACTIONS) if action not in view.legal)


class Speaking:
    """Returns text instead of an action."""

    name = "speaking"

    def act(self, view: View, rng: np.random.Generator) -> Any:
        return "PASS"


class Slow:
    """Takes 0.2 seconds for every decision after the first."""

    name = "slow"

    def __init__(self) -> None:
        self.answers = 0

    def act(self, view: View, rng: np.random.Generator) -> int:
        self.answers += 1
        time.sleep(0.2 if self.answers > 1 else 0.0)
        return view.legal[0]


class Batched:
    """Acts in many games at once, and fails for some seeds: it raises or returns an illegal action."""

    name = "batched"

    def act(self, view: View, rng: np.random.Generator) -> int:
        raise AssertionError("asked alone")

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        if any(seed % 100 == 0 for seed in seeds):
            raise LookupError("lost my notes")
        return np.array([self.answer(views[k], int(seed)) for k, seed in enumerate(seeds)])

    @staticmethod
    def answer(view: View, seed: int) -> int:
        return illegal_in(view) if seed % 100 == 1 else view.legal[seed % len(view.legal)]


class Interrupting:
    """Raises KeyboardInterrupt, like Ctrl-C, in some of its games."""

    name = "interrupting"

    def act(self, view: View, rng: np.random.Generator) -> int:
        if rng.random() < 0.001:
            raise KeyboardInterrupt
        return view.legal[0]


class Nameless:
    def act(self, view: View, rng: np.random.Generator) -> int:
        return view.legal[0]


class Deadly:
    """Ends its process, unless that is the main process."""

    name = "deadly"

    def act(self, view: View, rng: np.random.Generator) -> int:
        if multiprocessing.parent_process() is not None:
            os._exit(1)
        return view.legal[0]
