"""Gymnasium environments for a single learner, with or without opponents."""

import inspect
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pocketmars_env.core.errors import IllegalAction
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.observation_dtype import observation_dtype_of
from pocketmars_env.core.settings import check_choice, check_names, signature_with
from pocketmars_env.core.table import ONLY_GAME
from pocketmars_env.envs.episodes import RANDOM_SEAT, check_seat, next_episodes, replacement_actions, start_of
from pocketmars_env.envs.observation_space import (
    IN_INFO,
    IN_OBSERVATION,
    OBSERVATION_KEYS,
    new_observation_space,
)
from pocketmars_env.envs.opponents import LearnerTable, Opponents, OpponentsLike
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, Renderer, installed_modes
from pocketmars_env.envs.rewards import check_reward, final_rewards, illegal_reward, results_of

ILLEGAL_POLICIES = ("terminate", "raise", "random")
LEARNER = "learner"
ONLY_SEAT = 0
"""The learner's seat in modes without opponents."""


def checked(
    env: Any, opponents: Any, seat: int | str, reward: str, illegal: str, settings: dict[str, Any]
) -> tuple[Any, Any, int | str]:
    """Check the settings of an environment, except the rendering settings and the observation dtype.

    In modes with opponents, `opponents` must not be None; the agents are checked later, by `Opponents`.
    """
    mode: EnvMode = env.env_mode
    check_names(env.game_spec.id_of(mode.name), settings, signature_of(env).parameters)
    config = env.game_spec.config(**mode.settings_of(settings))
    check_reward(reward)
    check_choice("illegal", illegal, ILLEGAL_POLICIES)
    if mode.has_opponents:
        if opponents is None:
            raise ValueError("opponents must be an agent, the name of one, or a list of them, got None")
        check_seat(seat, config.seats)
        return config, opponents, seat
    if (opponents, seat) != ("random", RANDOM_SEAT):
        raise TypeError(f"the mode {mode.name!r} accepts neither 'opponents' nor 'seat'")
    return config, None, ONLY_SEAT


def signature_of(env: Any) -> inspect.Signature:
    """Return the signature of an environment's constructor, with only the arguments that its mode accepts.

    `env` is an environment or, if the class has a mode, its class.
    """
    mode: EnvMode = env.env_mode
    others = () if mode.has_opponents else ("opponents", "seat")
    function = env.__init__ if isinstance(env, type) else type(env).__init__  # type: ignore[misc]
    return signature_with(env.game_spec.config, function, (*mode.without, *others))


class SeatEnv(gymnasium.Env[Any, np.int64]):
    """Gymnasium environment in which the learner plays one seat of a game.

    Subclasses set `game_spec` and `env_mode`. By default, the observation space is
    ``Box(0, 1, (OBSERVATION_SIZE,), float32)``, and the action space is ``Discrete(NUM_ACTIONS)``. An episode
    is one game, and only its last step can have a nonzero reward. If a game reaches its round limit, the
    episode is truncated, and the reward is computed from the scores at that point.

    `info` always has these keys:

    - ``action_mask``: ``(NUM_ACTIONS,)`` int8, 1 for each legal action; all zeros when the game is over;
    - ``illegal_action``: a bool array of shape ``()``: whether the action passed to `step` was illegal; False
      after `reset`.

    At the end of an episode, it also has the keys of `results_of`: ``scores``, ``won``, ``win_share``,
    ``termination`` and ``rounds``.

    Args:
        opponents: an agent or a bot's name (see `bot_of`) for all seats except the learner's, or a list with
            an agent or name for each of these seats, clockwise from the learner's left neighbor. Modes
            without opponents accept neither this argument nor `seat`.
        seat: the learner's seat, or ``"random"`` for a random seat in each episode.
        reward: ``"win"`` or ``"margin"``; see `final_rewards`.
        illegal: how illegal actions are handled. With ``"terminate"``, the episode ends with the reward from
            `illegal_reward`, and the game is unchanged. With ``"raise"``, `step` raises `IllegalAction`, and
            the episode continues. With ``"random"``, a random legal action is played instead.
        illegal_penalty: subtracted from the reward of a step with an illegal action.
        action_mask: the location of the action masks: ``"info"``, or ``"observation"`` for observations that
            are dictionaries with a vector and a mask. The infos contain the masks in both cases.
        observation_keys: the keys of the vector and of the mask in these dictionaries.
        render_mode: None, ``"ansi"`` (colored text), ``"rgb_array"`` (pixels), ``"svg"`` (an SVG document),
            or ``"human"`` (a window that updates after every reset and step).
        render_view: the viewpoint of `render`: ``"learner"``, a seat, or ``"all"`` to show all hidden
            information.
        render_theme: ``"light"`` or ``"dark"``.
        observation_dtype: ``"float32"``, or ``"uint8"`` for unscaled counts; multiplied by `GameSpec.scales`,
            the counts give the float32 observations.
        settings: the game's settings; see the fields of `game_spec.config`.

    Attributes:
        game: the current game with all hidden information; for analysis, not for agents. Step the
            environment, not this game. `reset` replaces the game.
        seat: the learner's seat in the current game.

    Raises:
        ValueError: for an invalid setting; the message names its accepted values.
        TypeError: for a setting that is unknown or that the mode does not accept.
        ModuleNotFoundError: if `render_mode` needs the extra ``render``, which is not installed.

    """

    # Gymnasium annotates `metadata` as an instance variable, but uses it as a class variable.
    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": installed_modes(),
        "render_fps": PICTURES_PER_SECOND,
    }

    game_spec: ClassVar[GameSpec]
    env_mode: ClassVar[EnvMode]

    def __init_subclass__(cls) -> None:
        cls.__signature__ = signature_of(cls)  # type: ignore[attr-defined]

    def __init__(
        self,
        *,
        opponents: OpponentsLike = "random",
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal: str = "terminate",
        illegal_penalty: float = 0.0,
        action_mask: str = IN_INFO,
        observation_keys: tuple[str, str] = OBSERVATION_KEYS,
        render_mode: str | None = None,
        render_view: int | str = LEARNER,
        render_theme: str = "light",
        observation_dtype: str = "float32",
        **settings: Any,
    ) -> None:
        config, line_up, seat = checked(self, opponents, seat, reward, illegal, settings)
        self.render_mode = render_mode
        self._renderer = Renderer(
            self.game_spec, render_mode, render_view, render_theme, config.seats, LEARNER
        )
        self.reward = reward
        self.illegal = illegal
        self._illegal_penalty = float(illegal_penalty)
        self._dtype = observation_dtype_of(self.game_spec, config, observation_dtype)
        self.observation_space = new_observation_space(
            self.game_spec, self._dtype, action_mask, observation_keys
        )
        self._keys = observation_keys if action_mask == IN_OBSERVATION else None
        self.action_space = spaces.Discrete(self.game_spec.num_actions)
        self.opponents = None if line_up is None else Opponents(self.game_spec, line_up, config.seats, 1)
        self.game: Any = Game(self.game_spec, **config.as_dict())
        self._table = LearnerTable(self.game, self.opponents, count=1)
        self.seat = 0 if isinstance(seat, str) else seat
        self._settings = config.as_dict()
        self._seat_setting = seat
        self._replaced = np.zeros(1, dtype=np.int64)  # the number of replaced illegal actions
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a new game, and play the opponents' actions up to the learner's first decision.

        The game's seed is drawn from the environment's random stream; see `next_episodes`. If a game ends
        before the learner's first decision, it is discarded, and another game starts.

        Args:
            seed: a seed that restarts the environment's random stream; see `gymnasium.Env.reset`.
            options: ``{"game": game}`` starts from a copy of a `Game` with the environment's settings, for
                example from one of `Game.from_snapshot`. Other keys are ignored.

        Raises:
            gymnasium.error.Error: if the seed is neither None nor an ``int`` ≥ 0.
            ValueError: if the game has other settings, or ends before the learner's first decision.
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        super().reset(seed=seed)
        self._is_running = False  # until the opponents have played
        start = start_of(options, self.game.config)
        self._begin_episode(start)
        while self.game.over:  # the game ended before the learner's first decision
            if start is not None:
                raise ValueError(f"the game ends before the first decision of seat {self.seat}")
            self._begin_episode()
        self._is_running = True
        if self.render_mode == "human":
            self.render()
        return self._observe(is_illegal=False)

    def _begin_episode(self, start: Game | None = None) -> None:
        episode = next_episodes([self.np_random], self._seat_setting, self.game.seats)
        game = start or Game(self.game_spec, **self._settings, seed=episode.game_seeds[0])
        self.game = self._table.games = game
        self.seat = int(episode.seats[0])
        self._replaced[:] = 0
        self._table.seat(ONLY_GAME, episode.seats, episode.opponents_seeds)
        self._table.advance(ONLY_GAME)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Play the learner's action, then the opponents' actions.

        The opponents play until the learner's next decision or the end of the game.

        Args:
            action: an integer, or an integer array or tensor of shape () or (1,).

        Raises:
            TypeError: if the action is of another type; nothing changes.
            IllegalAction: if the action is illegal and ``illegal="raise"``; nothing changes.
            gymnasium.error.ResetNeeded: before the first reset, after the end of an episode, and after an
                error while the opponents played.
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        is_illegal = False
        try:
            self.game.step(action)
        except IllegalAction:
            if self.illegal == "raise":
                raise
            is_illegal = True
        self._is_running = False  # until the opponents have played
        is_ended = is_illegal and self.illegal == "terminate"
        if is_illegal and not is_ended:
            states = self.game.states
            self.game.step(replacement_actions(self.game_spec, states, ONLY_GAME, self._replaced)[0])
        if not is_ended:
            self._table.advance(ONLY_GAME)
        observation, info = self._observe(is_illegal)
        self._is_running = not (is_ended or self.game.over)
        if self.render_mode == "human":
            self.render()
        reward = -self._illegal_penalty if is_illegal else 0.0
        if self._is_running:
            return observation, reward, False, False, info
        scores, winners = self.game.scores, self.game.winners
        info |= results_of(self.game, scores, winners, [self.seat])[0]
        truncated = self.game.truncated
        if is_ended:
            reward += illegal_reward(self.reward, self.game_spec)
        else:
            reward += final_rewards(self.reward, scores, winners)[self.seat]
        return observation, reward, not truncated, truncated, info

    def _observe(self, is_illegal: bool) -> tuple[Any, dict[str, Any]]:
        """Return the learner's observation and info in new arrays."""
        observation: Any
        observation, mask = self.game._observe(self.seat, self._dtype)
        if self._keys is not None:
            observation = dict(zip(self._keys, (observation, mask.copy())))
        # The flag is a zero-dimensional array: TorchRL needs info values with a dtype, and Gymnasium's
        # vector environments would collect NumPy bools in an array of dtype object.
        return observation, {"action_mask": mask, "illegal_action": np.array(is_illegal)}

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask for sb3-contrib: ``(NUM_ACTIONS,)`` bool, True for each legal action."""
        mask: NDArray[np.int8] = self.game._mask(self.seat)
        return mask.view(np.bool_)

    def render(self) -> Any:
        """Render the position, as seen from `render_view`, in the format of `render_mode`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``; for ``"rgb_array"``, a new ``(H, 1000, 3)`` uint8 array
            with the same height throughout a game; None for ``"human"``. Without a render mode, `render`
            warns and returns None.

        Raises:
            RuntimeError: if the window cannot be opened, usually because there is no display.

        """
        return self._renderer.render(self.game.states, self.seat)

    def close(self) -> None:
        """Close the window, if it is open."""
        self._renderer.close()
