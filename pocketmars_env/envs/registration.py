"""Registration of games and their environments.

Importing `pocketmars_env` registers the built-in games; creating an environment imports its module.
Ids of earlier versions are not registered; for such an id, the error of Gymnasium or PettingZoo names the
current version.
"""

import gymnasium

from pocketmars_env.core.game_spec import EnvMode, GameSpec, add_game

ENVIRONMENTS: dict[str, tuple[GameSpec, EnvMode, str | None]] = {}
"""For each Gymnasium environment id: the game, the mode, and the argument `module` of `register_game`."""


def register_game(spec: GameSpec, module: str | None = None) -> None:
    """Register a game and its Gymnasium and PettingZoo environments.

    Args:
        module: the full name of a module with the classes ``<mode>Env`` and ``<mode>VectorEnv`` for each of
            `spec.env_modes`, and a function ``env`` for PettingZoo; if None, the classes are generated.

    Raises:
        ValueError: if another game has the same name.

    """
    add_game(spec)
    for mode in spec.env_modes:
        ENVIRONMENTS[spec.id_of(mode.name)] = spec, mode, module
        gymnasium.register(
            spec.id_of(mode.name),
            entry_point=entry_point(spec, module, f"{mode.name}Env"),
            vector_entry_point=entry_point(spec, module, f"{mode.name}VectorEnv"),
            # The limit truncates no game, but loaders of datasets, such as d3rlpy's, need a limit.
            max_episode_steps=spec.max_decisions,
        )
    try:
        from pettingzoo import register
    except ImportError:  # older versions of PettingZoo have no registry
        return
    register("aec", aec_id(spec), entry_point=entry_point(spec, module, "env"))


def entry_point(spec: GameSpec, module: str | None, name: str) -> str:
    """The entry point of an environment, as ``module:name``; if `module` is None, of a generated class."""
    return f"pocketmars_env.envs.classes:{spec.name}/{name}" if module is None else f"{module}:{name}"


def aec_id(spec: GameSpec) -> str:
    """The id for `pettingzoo.make` of PettingZoo 1.27 or later."""
    return spec.id_of(spec.namespace)
