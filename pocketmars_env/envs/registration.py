"""Registration of games and their environments.

Importing `pocketmars_env` registers the built-in games. The module of an environment is imported only when
the environment is created. Environment ids of earlier versions are not registered; for such an id, Gymnasium
and PettingZoo raise an error that names the current version.
"""

from typing import Any

import gymnasium
from gymnasium.envs.registration import load_env_creator

from pocketmars_env.core.game_spec import EnvMode, GameSpec, add_game
from pocketmars_env.core.settings import check_choice

ENVIRONMENTS: dict[str, tuple[GameSpec, EnvMode, str | None]] = {}
"""The game, the mode, and the argument `module` of `register_game`, keyed by Gymnasium environment id."""


def register_game(spec: GameSpec, module: str | None = None) -> None:
    """Register a game and its Gymnasium and PettingZoo environments.

    For programs without action masks, every mode also gets a Gymnasium id with the setting
    ``illegal="random"``, such as ``pocketmars/SoloUnmasked-v1``.
    """
    add_game(spec)
    for mode in spec.env_modes:
        ENVIRONMENTS[spec.id_of(mode.name)] = spec, mode, module
        for name, preset in ((mode.name, {}), (f"{mode.name}Unmasked", {"illegal": "random"})):
            gymnasium.register(
                spec.id_of(name),
                entry_point=entry_point(spec, module, f"{mode.name}Env"),
                vector_entry_point=entry_point(spec, module, f"{mode.name}VectorEnv"),
                # Dataset loaders, such as d3rlpy's, need a step limit; no game exceeds this one.
                max_episode_steps=spec.max_decisions,
                kwargs=preset,
            )
    try:
        from pettingzoo import register
    except ImportError:  # older versions of PettingZoo have no registry
        return
    register("aec", aec_id(spec), entry_point=entry_point(spec, module, "env"))
    register("parallel", aec_id(spec), entry_point=entry_point(spec, module, "parallel_env"))


def entry_point(spec: GameSpec, module: str | None, name: str) -> str:
    """Return the entry point ``module:name``; if `module` is None, that of a generated class or function."""
    return f"pocketmars_env.envs.classes:{spec.name}/{name}" if module is None else f"{module}:{name}"


def aec_id(spec: GameSpec) -> str:
    """Return the AEC environment's id for `pettingzoo.make`, which needs PettingZoo 1.27 or later."""
    return spec.id_of(spec.namespace)


def vector_env_class(name: str) -> Any:
    """Return the vector environment class for an id, such as ``"pocketmars/Table-v1"``."""
    check_choice("name", name, ENVIRONMENTS)
    spec, mode, module = ENVIRONMENTS[name]
    return load_env_creator(entry_point(spec, module, f"{mode.name}VectorEnv"))
