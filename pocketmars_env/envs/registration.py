"""The environments' ids. Importing `pocketmars_env` registers them; their modules load when made."""

from functools import partial
from typing import Any, NoReturn

import gymnasium

from pocketmars_env.core.game_spec import EnvMode, GameSpec, add_game

ENVIRONMENTS: dict[str, tuple[GameSpec, EnvMode, str | None]] = {}
"""The Gymnasium environments by id: the game, its mode, and the module with its classes, if there is one."""


def register_game(spec: GameSpec, module: str | None = None) -> None:
    """Register a game, and environments of it with the libraries that make them.

    Args:
        spec: the game.
        module: the full name of a module with a class ``<mode>Env`` and a class ``<mode>VectorEnv`` for each
            of `spec.env_modes`, and a function ``env`` for PettingZoo. None: they are made when needed.

    Raises:
        ValueError: if another game has the name.

    """
    add_game(spec)
    for mode in spec.env_modes:
        ENVIRONMENTS[spec.id_of(mode.name)] = spec, mode, module
        gymnasium.register(
            spec.id_of(mode.name),
            entry_point=entry_point(spec, module, f"{mode.name}Env"),
            vector_entry_point=entry_point(spec, module, f"{mode.name}VectorEnv"),
            # Games end by themselves. Loaders such as d3rlpy's want a number, and count up to it.
            max_episode_steps=spec.max_decisions,
        )
        for version in range(spec.rules_version):
            old = earlier(spec.id_of(mode.name), version)
            refuse = partial(refuse_version, spec, old)
            gymnasium.register(old, entry_point=refuse, vector_entry_point=refuse)
    try:
        from pettingzoo import register
    except ImportError:  # earlier versions have no registry
        return
    register("aec", aec_id(spec), entry_point=entry_point(spec, module, "env"))
    for version in range(spec.rules_version):
        old = earlier(aec_id(spec), version)
        register("aec", old, entry_point=partial(refuse_version, spec, old))


def entry_point(spec: GameSpec, module: str | None, name: str) -> str:
    """Where an environment is: in the game's module, or among the classes that are made for the game."""
    return f"pocketmars_env.envs.classes:{spec.name}.{name}" if module is None else f"{module}:{name}"


def aec_id(spec: GameSpec) -> str:
    """The id for `pettingzoo.make`, with PettingZoo 1.27 or later."""
    return spec.id_of(spec.namespace)


def earlier(environment: str, version: int) -> str:
    """The id that an environment had in an earlier version."""
    return f"{environment.rpartition('-v')[0]}-v{version}"


def refuse_version(spec: GameSpec, environment: str, **_: Any) -> NoReturn:
    """What is called for an id of an earlier version.

    Raises:
        gymnasium.error.DeprecatedEnv: names the id to use.

    """
    newer = earlier(environment, spec.rules_version)
    raise gymnasium.error.DeprecatedEnv(f"{spec.older_version(environment)}: use {newer}")


def check_version(environment: str, spec: GameSpec) -> None:
    """Raise a `gymnasium.error.DeprecatedEnv` if an id is that of an earlier version of a game."""
    ids = {spec.id_of(mode.name) for mode in spec.env_modes}
    if any(environment == earlier(one, version) for one in ids for version in range(spec.rules_version)):
        refuse_version(spec, environment)
