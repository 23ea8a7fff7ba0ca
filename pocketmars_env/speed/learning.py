"""The environment's share of training time."""

import importlib
import time
from collections.abc import Callable
from typing import Any

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.speed.own_rows import SB3_GAMES, sb3_vec_env

LAYERS = [256, 256]
STEPS = 32
"""Decisions per game between two updates of the network (``n_steps``)."""
EPOCHS = 10
"""Epochs of an update: sb3-contrib's default."""
UPDATES = 3


class Stopwatch:
    """Total time spent in the wrapped functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def wrap(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function to measure its time."""

        def timed(*arguments: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds += time.perf_counter() - start

        return timed


def share_of_learning(spec: GameSpec) -> tuple[float, float]:
    """The environment's share of the time of ``MaskablePPO.learn``, and the decisions/s of learning.

    One seat against random opponents (the game's first environment with opponents), a network of 2 × 256, and
    sb3-contrib's settings except the sizes of rollout and batch. Wall time, all cores.

    Raises:
        ValueError: if the game has no environment with opponents.
        ImportError: if sb3-contrib is not installed.

    """
    ids = [spec.id_of(mode.name) for mode in spec.env_modes if mode.has_opponents]
    if not ids:
        raise ValueError(f"--learn needs an environment with opponents; {spec.title} has none")
    ppo = importlib.import_module("sb3_contrib").MaskablePPO
    env, stopwatch = sb3_vec_env(ids[0]), Stopwatch()
    for method in ("step_wait", "env_method"):
        setattr(env, method, stopwatch.wrap(getattr(env, method)))
    model = ppo("MlpPolicy", env, n_steps=STEPS, batch_size=2_048, n_epochs=EPOCHS, device="cpu", seed=0,
                policy_kwargs={"net_arch": LAYERS})  # fmt: skip
    model.learn(STEPS * SB3_GAMES)  # the first update allocates memory
    stopwatch.seconds, decisions = 0.0, UPDATES * STEPS * SB3_GAMES
    start = time.perf_counter()
    model.learn(decisions)
    seconds = time.perf_counter() - start
    return stopwatch.seconds / seconds, decisions / seconds
