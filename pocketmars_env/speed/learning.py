"""How much of the time of learning the environment takes."""

import importlib
import time
from collections.abc import Callable
from typing import Any

from pocketmars_env.games.pocket_mars.ids import TABLE_ID
from pocketmars_env.speed.vector_rows import SB3_GAMES, sb3_vec_env

LAYERS = [256, 256]
STEPS = 32
"""Decisions in each game between two updates of the network."""
EPOCHS = 10
"""How often an update goes over its decisions: sb3-contrib's own setting."""
UPDATES = 3


class Stopwatch:
    """Adds up the time spent in the functions that it wraps."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed."""

        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - start

        return timed


def share_of_learning() -> tuple[float, float]:
    """The environment's share of the time of ``MaskablePPO.learn``, and the decisions/s of learning.

    Games of two against random opponents, a network of 2 × 256, sb3-contrib's settings but for the
    sizes of rollout and batch. Wall time, all cores.

    Raises:
        ImportError: if sb3-contrib is not installed.

    """
    ppo = importlib.import_module("sb3_contrib").MaskablePPO
    env, stopwatch = sb3_vec_env(TABLE_ID, SB3_GAMES), Stopwatch()
    for method in ("step_wait", "env_method"):
        setattr(env, method, stopwatch.wrap(getattr(env, method)))
    model = ppo("MlpPolicy", env, n_steps=STEPS, batch_size=2_048, n_epochs=EPOCHS, device="cpu", seed=0,
                policy_kwargs={"net_arch": LAYERS})  # fmt: skip
    model.learn(STEPS * SB3_GAMES)  # the first update allocates what it needs
    stopwatch.seconds, decisions = 0.0, UPDATES * STEPS * SB3_GAMES
    start = time.perf_counter()
    model.learn(decisions)
    seconds = time.perf_counter() - start
    return stopwatch.seconds / seconds, decisions / seconds
