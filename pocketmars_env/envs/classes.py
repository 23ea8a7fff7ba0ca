"""Environment classes that are generated from a game's `GameSpec`; see `register_game`."""

import functools
from collections.abc import Callable
from typing import Any

from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.envs.aec import raw_env, wrapped, wrapped_parallel
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv


@functools.cache
def environments_of(spec: GameSpec) -> dict[str, Callable[..., Any]]:
    """Create a game's environment classes, and its functions ``env`` and ``parallel_env``, keyed by name."""
    classes: dict[str, Callable[..., Any]] = {}
    for mode in spec.env_modes:
        body = {"game_spec": spec, "env_mode": mode}
        classes[f"{mode.name}Env"] = type(f"{mode.name}Env", (SeatEnv,), body)
        classes[f"{mode.name}VectorEnv"] = type(f"{mode.name}VectorEnv", (SeatVectorEnv,), body)
    metadata = {**raw_env.metadata, "name": f"{spec.namespace}_v{spec.rules_version}"}
    classes["raw_env"] = type("raw_env", (raw_env,), {"game_spec": spec, "metadata": metadata})
    for name, env_class in classes.items():
        env_class.__qualname__ = (
            f"{spec.name}/{name}"  # pickle finds the class by this name, see `__getattr__`
        )
        env_class.__module__ = __name__
    classes["env"] = lambda **settings: wrapped(classes["raw_env"](**settings))
    classes["parallel_env"] = lambda **settings: wrapped_parallel(classes["raw_env"](**settings))
    return classes


def __getattr__(name: str) -> Callable[..., Any]:
    """Return an environment class or a function ``env``, given a name such as ``"pocket_mars/TableEnv"``.

    The part before the slash is the name of the game. Gymnasium and PettingZoo look up these names; see
    `entry_point` in `registration.py`.
    """
    game, _, environment = name.partition("/")
    if game not in GAMES or environment not in environments_of(GAMES[game]):
        raise AttributeError(f"there is no environment {quoted(name)}")
    return environments_of(GAMES[game])[environment]
