"""`SpielGame`, the base class of this project's OpenSpiel games, and `register`, which registers a game."""

import functools
import sys
from typing import Any, ClassVar

import pyspiel

from pocketmars_env.adapters.moments import Moment
from pocketmars_env.adapters.open_spiel.observer import Observer
from pocketmars_env.adapters.open_spiel.parameters import (
    DEFAULT,
    SEED_DIGITS,
    config_of,
    game_info,
    game_type,
    parameters_of,
)
from pocketmars_env.adapters.open_spiel.state import SpielState
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.rewards import check_reward


class SpielGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel publishes no types
    """Base class of this project's OpenSpiel games; subclasses set `spec` and `state_type`.

    Args:
        parameters: values keyed by parameter name; parameters without a value keep the defaults that
            `parameters_of` returns.

    Attributes:
        spec: the game's `GameSpec`.
        state_type: the class of the game's states.
        config: the settings of the game.
        reward: the name of the reward function, one of `REWARDS`.

    Raises:
        ValueError: for an unknown parameter or an invalid value; the message names what is accepted.

    """

    spec: ClassVar[GameSpec]
    state_type: ClassVar[type[SpielState]]

    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        defaults = parameters_of(self.spec)
        values = {**defaults, **(parameters or {})}
        if unknown := sorted(set(values) - set(defaults)):
            raise ValueError(f"unknown parameters {unknown}; accepted: {', '.join(defaults)}")
        self.config, self.reward = config_of(self.spec, values), values["reward"]
        check_reward(self.reward)
        seed = values["seed"]
        if type(seed) is not int or seed < DEFAULT:
            raise ValueError(
                f"seed must be in 0..2**31-1, or {DEFAULT} for a random seed, got {quoted(seed)}"
            )
        is_dealt = seed != DEFAULT
        self._beginning = Moment.dealt(self.config, seed) if is_dealt else None
        super().__init__(
            game_type(self.spec, self.config, is_dealt),
            game_info(self.spec, self.config, self.reward, is_dealt),
            parameters or {},
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the parameters, because OpenSpiel's pickling would omit the Python attributes."""
        return type(self), (self.get_parameters(),)

    def new_initial_state(self) -> SpielState:
        """Return the state before the deal, or at the first decision if the parameter ``seed`` is set."""
        return self.state_type(self, self._beginning)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes: see the package; 0 if the parameter ``seed`` is set."""
        if self._beginning:
            return 0
        return 1 if self.config.deals else SEED_DIGITS

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> Observer | None:
        """Return an observer, or None if `Observer` does not support the observation type."""
        # Without an observation type, OpenSpiel's C++ code passes an empty dictionary as `iig_obs_type`.
        observation_type = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        observer = Observer(self.spec, observation_type.perfect_recall, params)
        is_own_view = (
            observation_type.public_info
            and observation_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        )
        return observer if is_own_view else None


@functools.cache
def register(spec: GameSpec) -> type[SpielGame]:
    """Register a game with OpenSpiel as ``python_<name>``, unless it is already registered."""
    package, title = sys.modules[__package__], spec.name.title().replace("_", "")
    state = type(f"{title}State", (SpielState,), {"__module__": __package__})
    body = {"__module__": __package__, "spec": spec, "state_type": state}
    game = type(f"{title}Game", (SpielGame,), body)
    for spiel_class in (state, game):
        setattr(package, spiel_class.__name__, spiel_class)
    pyspiel.register_game(game_type(spec, spec.config(), is_dealt=False), game)
    return game
