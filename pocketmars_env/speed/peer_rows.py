"""Benchmark rows of other libraries, each through its fastest Python interface."""

from functools import partial
from typing import Any

import numpy as np

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.aec import wrapped
from pocketmars_env.envs.classes import environments_of
from pocketmars_env.speed.loops import play_aec, play_open_spiel
from pocketmars_env.speed.timing import Play, Row

OPEN_SPIEL_GAMES = {
    "hanabi": "hanabi",
    "gin_rummy": "gin_rummy",
    # the double-dummy solver that scores the deal would take nearly all of the time
    "bridge": "bridge(use_double_dummy_result=false)",
}
EMPTY_EPISODE, LEGAL_ACTIONS = 1_000, 8
"""The steps per episode of the empty environment, and the legal actions in each."""


def peer_rows(spec: GameSpec) -> list[Row]:
    """All rows of peers, installed or not; the empty environment has the spaces of a game."""
    rows = [
        Row(f"open_spiel/{name}/{kind}", partial(play_open_spiel, game, kind == "observation"),
            "pyspiel", "open_spiel")
        for name, game in OPEN_SPIEL_GAMES.items()
        for kind in ("mask", "observation")
    ]  # fmt: skip
    return [
        *rows,
        Row("connect_four/raw_env", play_connect_four, "pygame", "pygame-ce"),
        Row("empty/env", lambda: play_aec(wrapped(empty_env(spec)))),
    ]


def play_connect_four() -> Play:
    """PettingZoo's Connect Four without wrappers."""
    from pettingzoo.classic.connect_four.connect_four import raw_env  # needs pygame

    return play_aec(raw_env())


def empty_env(spec: GameSpec) -> Any:
    """A `raw_env` whose steps do nothing, to measure the cost of the wrappers."""
    observation = {
        "observation": np.zeros(spec.observation_size, dtype=np.float32),
        "action_mask": (np.arange(spec.num_actions) < LEGAL_ACTIONS).astype(np.int8),
    }

    class EmptyEnv(environments_of(spec)["raw_env"]):  # type: ignore[misc]  # made at run time
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(seed, options)
            self.steps_left = EMPTY_EPISODE

        def observe(self, agent: str) -> Any:
            return observation

        def step(self, action: Any) -> None:
            self.steps_left -= 1
            if self.steps_left == 0:
                self.terminations = dict.fromkeys(self.agents, True)

    return EmptyEnv()
