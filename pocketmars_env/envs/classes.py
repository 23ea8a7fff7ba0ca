"""Environment classes for games that are registered without an environment module, see `register_game`."""

import functools
from collections.abc import Callable
from typing import Any

from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.envs.aec import raw_env, wrapped
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv


@functools.cache
def environments_of(spec: GameSpec) -> dict[str, Callable[..., Any]]:
    """A game's environment classes by name: ``raw_env``, and ``<mode>Env`` and ``<mode>VectorEnv`` per mode.

    The dictionary also contains the function ``env``, which adds wrappers to ``raw_env``.
    """
    found: dict[str, Callable[..., Any]] = {}
    for mode in spec.env_modes:
        body = {"game_spec": spec, "env_mode": mode}
        found[f"{mode.name}Env"] = type(f"{mode.name}Env", (SeatEnv,), body)
        found[f"{mode.name}VectorEnv"] = type(f"{mode.name}VectorEnv", (SeatVectorEnv,), body)
    metadata = {**raw_env.metadata, "name": f"{spec.namespace}_v{spec.rules_version}"}
    found["raw_env"] = type("raw_env", (raw_env,), {"game_spec": spec, "metadata": metadata})
    for name, made in found.items():
        made.__qualname__ = f"{spec.name}/{name}"  # by this name, pickle finds the class in this module
        made.__module__ = __name__
    found["env"] = lambda **settings: wrapped(found["raw_env"](**settings))
    return found


def __getattr__(name: str) -> Callable[..., Any]:
    """A game's environment class or function, by a name such as ``"pairs/TableEnv"`` for a game ``"pairs"``.

    Gymnasium and PettingZoo look up these names, see `entry_point` in `registration.py`.

    Raises:
        AttributeError: if there is no such game, or the game has no such class or function.

    """
    game, _, environment = name.partition("/")
    if game not in GAMES or environment not in environments_of(GAMES[game]):
        raise AttributeError(f"there is no environment {name!r}")
    return environments_of(GAMES[game])[environment]
