"""The rows that measure many environments in one call, with random masked actions."""

import importlib
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from pocketmars_env.core.compiled.masks import sample_actions
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.speed.playing import Play, Row

BATCH_SIZES = (64, 256, 1024, 4096)
SB3_GAMES = 256
ENVIRONMENTS = {"solo": SOLO_ID, "2p": TABLE_ID}
"""Alone against the DA; in a random seat against a random opponent, whose decisions do not count."""
STEPS_BEFORE = 200
"""Steps before the measuring, so that the games stand at all points of their course."""


def vector_rows() -> list[Row]:
    """All rows of vector environments."""
    rows = [
        Row(f"vector/{mode}/{size}", partial(play_vector, name, size))
        for mode, name in ENVIRONMENTS.items()
        for size in BATCH_SIZES
    ]
    rows += [
        Row(f"sb3_vec_env/{mode}/{SB3_GAMES}", partial(play_sb3, name), "sb3_contrib", "sb3-contrib")
        for mode, name in ENVIRONMENTS.items()
    ]
    return rows


def play_vector(name: str, size: int) -> Play:
    """Gymnasium's vector environment."""
    envs = gymnasium.make_vec(
        name, size, vectorization_mode="vector_entry_point", autoreset_mode=AutoresetMode.SAME_STEP
    )
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=0)[1]["action_mask"]

    def play(count: int) -> int:
        nonlocal masks
        steps = -(-count // size)
        for _ in range(steps):
            masks = envs.step(sample_actions(masks, rng))[4]["action_mask"]
        return steps * size

    play(STEPS_BEFORE * size)
    return play


def sb3_vec_env(name: str, num_envs: int) -> Any:
    """The environment for Stable-Baselines3, imported when needed: it is not in the base installation."""
    return importlib.import_module("pocketmars_env.adapters.sb3").PocketMarsVecEnv(name, num_envs, seed=0)


def play_sb3(name: str) -> Play:
    """The environment for Stable-Baselines3, masks taken as sb3-contrib takes them."""
    env = sb3_vec_env(name, SB3_GAMES)
    rng = np.random.default_rng(0)
    env.reset()

    def play(count: int) -> int:
        steps = -(-count // SB3_GAMES)
        for _ in range(steps):
            env.step(sample_actions(np.stack(env.env_method("action_masks")), rng))
        return steps * SB3_GAMES

    play(STEPS_BEFORE * SB3_GAMES)
    return play
