"""Bots that behave badly, for the benchmark's tests."""

import multiprocessing
import os

import numpy as np

from pocketmars_env import NUM_ACTIONS, Game, View


class Raising:
    name = "raising"

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        raise LookupError("lost my notes")


class Illegal:
    """Answers well at first, and then with an action that is not legal."""

    name = "illegal"

    def __init__(self) -> None:
        self.answers = 0

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        self.answers += 1
        illegal = next(action for action in range(NUM_ACTIONS) if action not in view.legal)
        return illegal if self.answers > 3 else view.legal[0]


class Interrupting:
    """Stops the whole benchmark, as Ctrl-C does, in some of its games."""

    name = "interrupting"

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        if rng.random() < 0.01:
            raise KeyboardInterrupt
        return view.legal[0]


class Nameless:
    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        return view.legal[0]


class Deadly:
    """Ends the process that it runs in, unless that is the first one."""

    name = "deadly"

    def act(self, view: View[Game], rng: np.random.Generator) -> int:
        if multiprocessing.parent_process() is not None:
            os._exit(1)
        return view.legal[0]
