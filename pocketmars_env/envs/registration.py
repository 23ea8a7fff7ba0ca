"""The environments' ids. Importing `pocketmars_env` registers them; their modules load when made."""

from functools import partial
from typing import Any, NoReturn

import gymnasium

from pocketmars_env.games.pocket_mars.episode_length import MAX_EPISODE_STEPS
from pocketmars_env.games.pocket_mars.rules_version import version_0_message

SOLO_ID = "pocketmars/Solo-v1"
"""For `gymnasium.make` and `gymnasium.make_vec`: alone against the DA."""
TABLE_ID = "pocketmars/Table-v1"
"""The same: one seat among opponents."""
AEC_ID = "pocketmars/pocketmars-v1"
"""For `pettingzoo.make`, with PettingZoo 1.27 or later."""


def register_environments() -> None:
    """Register all environments with the libraries that make them."""
    for environment, name in ((SOLO_ID, "Solo"), (TABLE_ID, "Table")):
        gymnasium.register(
            environment,
            entry_point=f"pocketmars_env.envs.single_player:{name}Env",
            vector_entry_point=f"pocketmars_env.envs.vector:{name}VectorEnv",
            # Games end by themselves. Loaders such as d3rlpy's want a number, and count up to it.
            max_episode_steps=MAX_EPISODE_STEPS,
        )
        refuse = partial(refuse_version_0, environment)
        gymnasium.register(version_0_of(environment), entry_point=refuse, vector_entry_point=refuse)
    try:
        from pettingzoo import register
    except ImportError:  # earlier versions have no registry
        return
    register("aec", AEC_ID, entry_point="pocketmars_env.envs.aec:env")
    register("aec", version_0_of(AEC_ID), entry_point=partial(refuse_version_0, AEC_ID))


def version_0_of(environment: str) -> str:
    """The id that an environment had in version 0."""
    return environment.replace("-v1", "-v0")


def refuse_version_0(environment: str, **_: Any) -> NoReturn:
    """What is called for an id of version 0.

    Raises:
        gymnasium.error.DeprecatedEnv: names the `environment` to use.

    """
    raise gymnasium.error.DeprecatedEnv(f"{version_0_message(version_0_of(environment))}: use {environment}")
