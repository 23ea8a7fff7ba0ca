"""The environments of Project Mars, for PettingZoo (`env`, `raw_env`) and for Gymnasium (single and vector).

``docs/environments.md`` and ``docs/project_mars/environment.md`` describe arguments, spaces, rewards,
rendering and the course of an episode.
"""

import inspect
from typing import Any, ClassVar

from pettingzoo import AECEnv, ParallelEnv

from pocketmars_env.envs import aec
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_env.games.project_mars.spec import DUEL, SPEC


def env(**settings: Any) -> AECEnv:
    """Return the environment with PettingZoo's usual wrappers; for illegal actions, see `aec.wrapped`.

    Args:
        settings: the arguments of `raw_env`.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.
        TypeError: for an unknown setting.

    """
    return aec.wrapped(raw_env(**settings))


def parallel_env(**settings: Any) -> ParallelEnv[str, Any, Any]:
    """Return the parallel environment for the same arguments as `env`; see `aec.wrapped_parallel`."""
    return aec.wrapped_parallel(raw_env(**settings))


class raw_env(aec.raw_env):
    """The PettingZoo environment without wrappers, with the settings of `DuelConfig`; see `aec.raw_env`."""

    game_spec = SPEC
    metadata: ClassVar[dict[str, Any]] = {**aec.raw_env.metadata, "name": "projectmars_v0"}


env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]  # for help(env)
parallel_env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]


class DuelEnv(SeatEnv):
    """A game against an opponent that you choose, with the settings of `DuelConfig`; see `SeatEnv`."""

    game_spec, env_mode = SPEC, DUEL


class DuelVectorEnv(SeatVectorEnv):
    """A vector environment of N `DuelEnv` games that are advanced together; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, DUEL
