"""The parameters of an OpenSpiel game, and its `GameType` and `GameInfo`."""

import dataclasses
from typing import Any, get_args, get_type_hints

import pyspiel

from pocketmars_env.core.game_spec import Config, GameSpec

DEFAULT = -1
"""The value that represents None in ``seed`` and integer settings; OpenSpiel's parameters cannot be None."""
SEED_DIGITS = 16


def name_of(spec: GameSpec) -> str:
    """Return the name of a game in OpenSpiel, such as ``python_pocket_mars``."""
    return f"python_{spec.name}"


def settings_of(spec: GameSpec) -> dict[str, Any]:
    """Return a game's settings and their defaults, with None replaced as `parameters_of` describes."""
    hints = get_type_hints(spec.config)
    return {
        field.name: (DEFAULT if int in get_args(hints[field.name]) else "")
        if field.default is None
        else field.default
        for field in dataclasses.fields(spec.config)
    }


def parameters_of(spec: GameSpec) -> dict[str, Any]:
    """Return the parameters of a game and their defaults.

    The parameters are the game's settings, plus ``seed`` and ``reward`` (one of `REWARDS`). OpenSpiel does
    not support None. A default of None is therefore given as -1 for an integer setting, as in
    ``round_limit=-1``, and as an empty string for any other setting. With ``seed=-1``, the default, chance
    nodes draw the seed of each episode. The largest integer that OpenSpiel accepts is 2**31 - 1.
    """
    return {**settings_of(spec), "reward": "win", "seed": DEFAULT}


def config_of(spec: GameSpec, parameters: dict[str, Any]) -> Any:
    """Return the configuration of a game with the given OpenSpiel parameters."""
    settings = settings_of(spec)
    is_none = {field.name for field in dataclasses.fields(spec.config) if field.default is None}
    return spec.config(
        **{
            name: None if name in is_none and parameters[name] == settings[name] else parameters[name]
            for name in settings
        }
    )


def game_type(spec: GameSpec, config: Config, is_dealt: bool) -> Any:
    """Return the `pyspiel.GameType` of a game."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name_of(spec),
        long_name=spec.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC if is_dealt else kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if is_zero_sum(config) else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=spec.max_seats,
        min_num_players=1,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(spec),
    )


def game_info(spec: GameSpec, config: Config, reward: str, is_dealt: bool) -> Any:
    """Return the `pyspiel.GameInfo` of a game."""
    margin = spec.margin_bound if spec.max_margin is None else spec.max_margin
    least, most = (-1 / (config.seats - 1), 1) if reward == "win" else (-margin, margin)
    return pyspiel.GameInfo(
        num_distinct_actions=spec.num_actions,
        max_chance_outcomes=0 if is_dealt else config.deals or 16,
        num_players=config.seats_to_play,
        min_utility=least,
        max_utility=most,
        utility_sum=0.0 if is_zero_sum(config) else None,
        max_game_length=config.most_decisions or spec.max_decisions,
    )


def is_zero_sum(config: Config) -> bool:
    """Return whether the players' rewards always sum to 0; False if an automaton plays a seat."""
    return config.seats_to_play == config.seats
