"""Benchmark rows of a game through every interface of this package."""

import importlib
from collections.abc import Mapping
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

from pocketmars_env.core.compiled.masks import sample_actions
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.measured import Measured
from pocketmars_env.envs.classes import environments_of
from pocketmars_env.speed.peer_rows import play_open_spiel
from pocketmars_env.speed.playing import Play, Row, new_choose, play_aec, play_choices, play_gymnasium

KERNEL_SIZES = (1, 16, 64, 256, 1024)
VECTOR_SIZES = (64, 256, 1024, 4096)
SB3_GAMES = 256
KERNEL_STEPS_BEFORE, VECTOR_STEPS_BEFORE = 500, 200
"""Steps of each game before the measurement, so that games are at different stages."""


def measured_of(spec: GameSpec) -> Mapping[str, Measured]:
    """The measured configurations of a game, by name."""
    mode = spec.env_modes[0].name if spec.env_modes else None
    return spec.measured or {"default": Measured("default settings", spec.config(), mode)}


def env_ids(spec: GameSpec) -> dict[str, str]:
    """The ids of the measured Gymnasium environments, by the names of their configurations."""
    return {
        name: spec.id_of(mode.name)
        for mode in spec.env_modes
        for name, measured in measured_of(spec).items()
        if measured.env_mode == mode.name
    }


def own_rows(spec: GameSpec) -> list[Row]:
    """All rows of a game."""
    measured = measured_of(spec)
    # Calls from Python are measured in few configurations, because the rules hardly affect their speed.
    called = {name: one.config.as_dict() for name, one in measured.items() if one.env_mode}
    ids, kinds = env_ids(spec), ("mask", "observation")
    rows = [
        Row(
            f"kernel/{kind}/{name}/{size}",
            partial(play_kernel, spec, one.config, size, kind == "observation"),
        )
        for kind in kinds
        for name, one in measured.items()
        for size in KERNEL_SIZES
    ]
    rows += [Row(f"game/{name}", partial(play_game, spec, settings)) for name, settings in called.items()]
    rows += [
        Row(f"{form}/{name}", partial(play_env, spec, form, settings))
        for form in ("raw_env", "env")
        for name, settings in called.items()
    ]
    rows += [
        Row(f"{mode.name.lower()}-v{spec.rules_version}", partial(play_alone, spec.id_of(mode.name)))
        for mode in spec.env_modes
        if not mode.has_opponents
    ]
    rows += [Row("choice", lambda: play_choices(spec.game(seed=0).mask()))]
    rows += [
        Row(f"open_spiel/{spec.name}/{kind}/{name}",
            partial(play_adapter, spec, settings, kind == "observation"), "pyspiel", "open_spiel")
        for kind in kinds
        for name, settings in called.items()
    ]  # fmt: skip
    rows += [
        Row(f"vector/{name}/{size}", partial(play_vector, env_id, size))
        for name, env_id in ids.items()
        for size in VECTOR_SIZES
    ]
    rows += [
        Row(f"sb3_vec_env/{name}/{SB3_GAMES}", partial(play_sb3, env_id), "sb3_contrib", "sb3-contrib")
        for name, env_id in ids.items()
    ]
    return rows


def play_kernel(spec: GameSpec, config: Any, size: int, is_observed: bool) -> Play:
    """`size` games in one compiled call: rules and masks, and observations if `is_observed`."""
    batch, states = spec.batch, spec.blank_states(size, config)
    batch.new_games(states, np.arange(size, dtype=np.uint64), np.ones(size, dtype=np.bool_))
    words = np.zeros(size, dtype=np.uint64)
    masks = np.zeros((size, spec.num_actions), dtype=np.int8)
    observations = np.zeros((size if is_observed else 0, spec.observation_size), dtype=np.float32)
    seed = 0

    def play(count: int) -> int:
        nonlocal seed
        seed += 1
        steps = -(-count // size)
        batch.play_all(states, np.uint64(seed), steps, words, masks, observations)
        return steps * size

    play(KERNEL_STEPS_BEFORE * size)
    return play


def play_game(spec: GameSpec, settings: dict[str, Any]) -> Play:
    """`Game`: legal and step, with a new game after each end."""
    choose = new_choose()
    game, seed = spec.game(**settings, seed=0), 0

    def play(count: int) -> int:
        nonlocal game, seed
        for _ in range(count):
            game.step(choose(game.legal()))
            if game.over:
                seed += 1
                game = spec.game(**settings, seed=seed)
        return count

    return play


def play_env(spec: GameSpec, form: str, settings: dict[str, Any]) -> Play:
    """The PettingZoo environment, wrapped (``"env"``) or not (``"raw_env"``)."""
    return play_aec(environments_of(spec)[form](**settings))


def play_alone(env_id: str) -> Play:
    """A Gymnasium environment without opponents."""
    return play_gymnasium(gymnasium.make(env_id))


def play_adapter(spec: GameSpec, settings: dict[str, Any], is_observed: bool) -> Play:
    """The game in OpenSpiel, played with the same loop as OpenSpiel's own games."""
    importlib.import_module("pocketmars_env.adapters.open_spiel").register(spec)
    given = {name: value for name, value in settings.items() if value is not None}
    return play_open_spiel(f"python_{spec.name}", is_observed, given)


def play_vector(env_id: str, size: int) -> Play:
    """Gymnasium's vector environment with random legal actions; opponents' decisions do not count."""
    envs = gymnasium.make_vec(
        env_id, size, vectorization_mode="vector_entry_point", autoreset_mode=AutoresetMode.SAME_STEP
    )
    rng = np.random.default_rng(0)
    masks = envs.reset(seed=0)[1]["action_mask"]

    def play(count: int) -> int:
        nonlocal masks
        steps = -(-count // size)
        for _ in range(steps):
            masks = envs.step(sample_actions(masks, rng))[4]["action_mask"]
        return steps * size

    play(VECTOR_STEPS_BEFORE * size)
    return play


def sb3_vec_env(env_id: str) -> Any:
    """The Stable-Baselines3 environment, imported on demand: it is not in the base installation."""
    return importlib.import_module("pocketmars_env.adapters.sb3").PocketMarsVecEnv(env_id, SB3_GAMES, seed=0)


def play_sb3(env_id: str) -> Play:
    """The Stable-Baselines3 environment, with masks obtained as in sb3-contrib."""
    env = sb3_vec_env(env_id)
    rng = np.random.default_rng(0)
    env.reset()

    def play(count: int) -> int:
        steps = -(-count // SB3_GAMES)
        for _ in range(steps):
            env.step(sample_actions(np.stack(env.env_method("action_masks")), rng))
        return steps * SB3_GAMES

    play(VECTOR_STEPS_BEFORE * SB3_GAMES)
    return play
