"""The environments of Pocket Mars, for PettingZoo (`env`, `raw_env`) and for Gymnasium (single and vector).

``docs/environments.md`` describes arguments, spaces, rewards, rendering and the course of an episode.
"""

import inspect
from typing import Any, ClassVar

from pettingzoo import AECEnv, ParallelEnv

from pocketmars_env.envs import aec
from pocketmars_env.envs.single_player import SeatEnv
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_env.games.pocket_mars.spec import SOLO, SPEC, TABLE


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
    """The PettingZoo environment without wrappers, with the settings of `GameConfig`; see `aec.raw_env`."""

    game_spec = SPEC
    metadata: ClassVar[dict[str, Any]] = {**aec.raw_env.metadata, "name": "pocketmars_v1"}


env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]  # for help(env)
parallel_env.__signature__ = inspect.signature(raw_env)  # type: ignore[attr-defined]


class SoloEnv(SeatEnv):
    """The solo game: one player against the automaton Devious Automatics (the DA); see `SeatEnv`.

    The settings are those of `GameConfig` except `players`, `mode` and `da_agent`.

    Examples:
        >>> import gymnasium, pocketmars_env
        >>> env = gymnasium.make("pocketmars/Solo-v1", level="cyborg")
        >>> observation, info = env.reset(seed=1)
        >>> action = env.action_space.sample(info["action_mask"])
        >>> observation, reward, terminated, truncated, info = env.step(action)

    """

    game_spec, env_mode = SPEC, SOLO


class TableEnv(SeatEnv):
    """A game of 2 to 4 players, in which the learner plays one seat against opponents of your choice.

    With ``mode="solo"``, the game has two seats: seat 0 for the player, seat 1 for the automaton (the DA). An
    agent in seat 1 makes the DA's choices. To train an agent for the DA's seat, use
    ``TableEnv(mode="solo", seat=1, opponents="greedy")``. In some games, the DA has no choice to make; if the
    learner plays the DA, such games are skipped.

    See `SeatEnv` for the arguments; the settings are those of `GameConfig` except `da_agent`.
    """

    game_spec, env_mode = SPEC, TABLE


class SoloVectorEnv(SeatVectorEnv):
    """A vector environment of N `SoloEnv` games that are advanced together; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, SOLO


class TableVectorEnv(SeatVectorEnv):
    """A vector environment of N `TableEnv` games that are advanced together; see `SeatVectorEnv`."""

    game_spec, env_mode = SPEC, TABLE
