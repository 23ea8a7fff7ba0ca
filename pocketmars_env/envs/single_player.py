"""Gymnasium environments for one learner, alone or in a seat among opponents.

>>> import gymnasium, pocketmars_env
>>> env = gymnasium.make("pocketmars/Solo-v1", level="cyborg")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

"""

import inspect
from typing import Any, ClassVar, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from pocketmars_env.core.game import IllegalAction
from pocketmars_env.core.game_spec import EnvMode, GameSpec
from pocketmars_env.core.settings import check_choice, signature_with
from pocketmars_env.envs.episodes import RANDOM_SEAT, check_seat, next_episodes
from pocketmars_env.envs.opponents import (
    OpponentError,
    Opponents,
    OpponentsLike,
    check_opponents,
)
from pocketmars_env.envs.registration import check_version
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, RENDER_MODES, Renderer
from pocketmars_env.envs.rewards import check_reward, final_rewards, illegal_reward

ILLEGAL_POLICIES = ("terminate", "raise")
LEARNER = "learner"
ONLY_SEAT = 0
"""The learner's, where no other is asked."""
FIRST_GAME = np.zeros(1, dtype=np.int64)


def check_face(reward: str, illegal: str) -> None:
    """Raise a ValueError that names the setting and what is accepted, if one is wrong."""
    check_reward(reward)
    check_choice("illegal", illegal, ILLEGAL_POLICIES)


def config_of_env(spec: GameSpec, mode: EnvMode, settings: dict[str, Any]) -> Any:
    """The settings of a game in one of its modes.

    Raises:
        ValueError: names the setting and what is accepted.
        TypeError: for a setting that there is not.

    """
    for name in mode.without:
        if name in settings:
            raise TypeError(f"{spec.id_of(mode.name)} has no setting {name!r}")
    return spec.config(**mode.settings_of(settings))


def check_others(mode: EnvMode, opponents: object, seat: object) -> None:
    """Raise an error unless opponents and the learner's seat fit the mode.

    Raises:
        ValueError: if there are no opponents, but other seats are asked.
        TypeError: if they are given to a mode that has none.

    """
    if mode.has_opponents:
        check_opponents(opponents)
    elif (opponents, seat) != ("random", RANDOM_SEAT):
        raise TypeError(f"the mode {mode.name!r} has no opponents, and the learner has the only seat")


def signature_of(env: type[Any]) -> inspect.Signature:
    """The constructor's signature with the game's settings, and without what its mode does not have."""
    mode: EnvMode = env.env_mode
    signature = signature_with(env.game_spec.config, env.__init__, mode.without)
    others = () if mode.has_opponents else ("opponents", "seat")
    return signature.replace(
        parameters=[one for one in signature.parameters.values() if one.name not in others]
    )


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat of a game, the learner's. A subclass says which game, and in which of its modes.

    Observations are `Box(0, 1, (OBSERVATION_SIZE,), float32)`, actions `Discrete(NUM_ACTIONS)`, both
    the same as in `pocketmars_env.envs.aec`. An episode is one game; the reward
    comes at its end. At the round limit the episode is truncated, with the reward of the scores as
    they stand.

    `info` has always the same keys:

    - ``action_mask``: (NUM_ACTIONS,) int8, 1 for a legal action; all zeros when the game is over;
    - ``illegal_action``: () bool, whether the action was illegal.

    Args:
        opponents: an agent or the name of one, for all other seats, or a list with one for each of
            them, clockwise from the learner's seat. Names are those of `bot_of`. By default random ones.
        seat: the learner's seat, or ``"random"``, the default: a new one each episode.
        reward: ``"win"`` or ``"margin"``; `final_rewards` says what they are.
        illegal: what an illegal action does. ``"terminate"``: the episode ends as a loss, with
            `illegal_reward`; the game itself stays as it was. ``"raise"``: an `IllegalAction` is raised, and
            the episode goes on.
        render_mode: None, ``"ansi"`` (text in colours), ``"rgb_array"`` (pixels), ``"svg"`` (a picture), or
            ``"human"`` (a window, which follows the game by itself).
        render_view: whose knowledge a picture shows: ``"learner"``, nothing that the learner may not
            know; a seat; or ``"all"``, every card.
        render_theme: ``"light"`` or ``"dark"``.
        settings: of the game.

    Attributes:
        game: the game that is played, with all that is hidden: for analysis, not for agents. Step
            the environment, not the game. `reset` puts a new game here.
        seat: the learner's seat in it.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    # Gymnasium declares an instance variable, but means one of the class.
    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": PICTURES_PER_SECOND,
    }

    game_spec: ClassVar[GameSpec]
    env_mode: ClassVar[EnvMode]

    _batch: ClassVar[Any]

    def __init_subclass__(cls) -> None:
        cls._batch = cls.game_spec.batch  # looked up once: it is hot
        cls.__signature__ = signature_of(cls)  # type: ignore[attr-defined]

    def __init__(
        self,
        *,
        opponents: OpponentsLike = "random",
        seat: int | str = RANDOM_SEAT,
        reward: str = "win",
        illegal: str = "terminate",
        render_mode: str | None = None,
        render_view: int | str = LEARNER,
        render_theme: str = "light",
        **settings: Any,
    ) -> None:
        config = config_of_env(self.game_spec, self.env_mode, settings)
        check_others(self.env_mode, opponents, seat)
        check_face(reward, illegal)
        check_seat(seat, config.seats)
        self.render_mode = render_mode
        self._renderer = Renderer(
            self.game_spec, render_mode, render_view, render_theme, config.seats, LEARNER
        )
        self.reward = reward
        self.illegal = illegal
        self.observation_space = spaces.Box(0.0, 1.0, (self.game_spec.observation_size,), np.float32)
        self.action_space = spaces.Discrete(self.game_spec.num_actions)
        self.opponents = (
            Opponents(self.game_spec, opponents, config.seats, 1) if self.env_mode.has_opponents else None
        )
        self.game: Any = self.game_spec.game(**config.as_dict())
        seat = seat if self.env_mode.has_opponents else ONLY_SEAT
        self.seat = 0 if isinstance(seat, str) else seat
        self._settings = config.as_dict()
        self._seat_setting = seat
        self._is_running = False
        self._spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """What Gymnasium made the environment from; it may come from a data set.

        Raises:
            gymnasium.error.DeprecatedEnv: when set to one of an earlier version of the rules.

        """
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None:
            check_version(spec.id, self.game_spec)
        self._spec = spec

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game; the environment's random stream decides it, see `next_episodes`.

        Args:
            seed: starts the stream anew; see `gymnasium.Env.reset`.
            options: ignored.

        Raises:
            gymnasium.error.Error: if the seed is not None or an integer from 0 on.

        """
        super().reset(seed=seed)
        self._begin_episode()
        while self.game.over:  # it has ended without a question to the learner
            self._begin_episode()
        self._is_running = True
        if self.render_mode == "human":
            self.render()
        return self._observe(is_illegal=False)

    def _begin_episode(self) -> None:
        episode = next_episodes([self.np_random], self._seat_setting, self.game.seats)
        self.game = self.game_spec.game(**self._settings, seed=episode.game_seeds[0])
        self.seat = int(episode.seats[0])
        if self.opponents:
            self.opponents.begin(FIRST_GAME, episode.opponents_seeds)
            self._let_opponents_answer(self.opponents)

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer the question that stands.

        Raises:
            IllegalAction: with ``illegal="raise"``; nothing is changed.
            ResetNeeded: if no episode is running.
            OpponentError: if an opponent answers illegally.

        """
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no episode is running: call reset() first")
        try:
            self.game.step(action)
        except IllegalAction:
            if self.illegal == "raise":
                raise
            self._is_running = False
            observation, info = self._observe(is_illegal=True)
            return observation, illegal_reward(self.reward, self.game_spec), True, False, info
        if self.opponents:
            self._let_opponents_answer(self.opponents)
        if self.render_mode == "human":
            self.render()
        observation, info = self._observe(is_illegal=False)
        if not self.game.over:
            return observation, 0.0, False, False, info
        self._is_running = False
        truncated = self.game.truncated
        rewards = final_rewards(self.reward, self.game.scores(), self.game.winners())
        return observation, rewards[self.seat], not truncated, truncated, info

    def _let_opponents_answer(self, opponents: Opponents) -> None:
        """Let opponents answer until the learner is asked or the game is over."""
        learner = np.array([self.seat])
        while not self.game.over and self.game.asked != self.seat:
            place = ((self.game.asked or 0) - self.seat) % self.game.seats - 1
            action = int(opponents.answer(self.game._states, FIRST_GAME, learner)[0])
            try:
                self.game.step(action)
            except IllegalAction as error:
                raise OpponentError(f"the opponent {opponents.name_at(0, place)!r}: {error}") from error

    def _observe(self, is_illegal: bool) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Observation and info, in new arrays."""
        observation = np.empty(self.game_spec.observation_size, dtype=np.float32)
        mask = np.empty(self.game_spec.num_actions, dtype=np.int8)
        self._batch.observe_at(self.game._states, 0, self.seat, observation, mask)
        # An array without dimensions: TorchRL asks infos for their dtype, and of NumPy's bool
        # Gymnasium's own vector environments would make an array of objects.
        return observation, {"action_mask": mask, "illegal_action": np.array(is_illegal)}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask (NUM_ACTIONS,) bool, True for a legal action, as sb3-contrib asks for it."""
        mask = np.empty(self.game_spec.num_actions, dtype=np.int8)
        self._batch.mask_at(self.game._states, 0, self.seat, mask)
        return mask.view(np.bool_)

    def render(self) -> Any:
        """The table as `render_view` sees it, in the form of `render_mode`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``; a new ``(H, W, 3)`` uint8 array for ``"rgb_array"``,
            of the same height in a whole game; None for ``"human"`` and without a mode.

        """
        return self._renderer.render(self.game._states, self.seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
