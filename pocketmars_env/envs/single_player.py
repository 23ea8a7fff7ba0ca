"""Gymnasium environments for one learner: alone against the DA, or in a seat among opponents.

>>> import gymnasium, pocketmars_env
>>> env = gymnasium.make("pocketmars/Solo-v1", level="cyborg")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

"""

from typing import Any, ClassVar, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from numpy.typing import NDArray

from pocketmars_env.core.batch import mask_at, observe_at
from pocketmars_env.core.game import Game, IllegalAction
from pocketmars_env.envs.episodes import check_seat, next_episodes
from pocketmars_env.envs.opponents import OpponentError, Opponents, OpponentsLike, check_opponents
from pocketmars_env.envs.registration import SOLO_ID, TABLE_ID, refuse_version_0, version_0_of
from pocketmars_env.envs.rendering import PICTURES_PER_SECOND, RENDER_MODES, Renderer
from pocketmars_env.envs.rewards import ILLEGAL_REWARD, check_reward, final_rewards
from pocketmars_env.games.pocket_mars.config import GameConfig, check_choice
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.constants import PLAYER_SEAT
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE

ILLEGAL_POLICIES = ("terminate", "raise")
LEARNER = "learner"
FIRST_GAME = np.zeros(1, dtype=np.int64)


def check_face(reward: str, illegal: str) -> None:
    """Raise a ValueError that names the setting and what is accepted, if one is wrong."""
    check_reward(reward)
    check_choice("illegal", illegal, ILLEGAL_POLICIES)


def table_config(
    players: int,
    mode: str,
    level: str | None,
    draft: bool,
    edition: str,
    round_limit: int | None,
    handicap: int,
) -> GameConfig:
    """The settings of a game in which every seat is somebody's, the DA's too."""
    return GameConfig(players, mode, level, draft, edition, mode == "solo", round_limit, handicap)


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat of a game, the learner's.

    Observations are `Box(0, 1, (OBSERVATION_SIZE,), float32)`, actions `Discrete(NUM_ACTIONS)`, both
    the same as in `pocketmars_env.envs.aec`, which has the tables. An episode is one game; the reward
    comes at its end. At the round limit the episode is truncated, with the reward of the scores as
    they stand.

    `info` has always the same keys:

    - ``action_mask``: (NUM_ACTIONS,) int8, 1 for a legal action; all zeros when the game is over;
    - ``illegal_action``: () bool, whether the action was illegal.

    Attributes:
        game: the game that is played, with all that is hidden: for analysis, not for agents. Step
            the environment, not the game. `reset` puts a new game here.
        seat: the learner's seat in it.

    """

    # Gymnasium declares an instance variable, but means one of the class.
    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": list(RENDER_MODES),
        "render_fps": PICTURES_PER_SECOND,
    }

    def __init__(
        self,
        config: GameConfig,
        seat: int | str,
        opponents: OpponentsLike | None,
        reward: str,
        illegal: str,
        render_mode: str | None,
        render_view: int | str,
        render_theme: str,
    ) -> None:
        check_face(reward, illegal)
        check_seat(seat, config.seats)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode, render_view, render_theme, config.seats, LEARNER)
        self.reward = reward
        self.illegal = illegal
        self.observation_space = spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self.opponents = None if opponents is None else Opponents(opponents, config.seats, 1)
        self.game = Game(**config.as_dict())
        self.seat = PLAYER_SEAT if isinstance(seat, str) else seat
        self._settings = config.as_dict()
        self._seat_setting = seat
        self._is_running = False
        self._spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """What Gymnasium made the environment from; it may come from a data set.

        Raises:
            gymnasium.error.DeprecatedEnv: when set to one of version 0.

        """
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        for environment in (SOLO_ID, TABLE_ID):
            if spec is not None and spec.id == version_0_of(environment):
                refuse_version_0(environment)
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
        self.game = Game(**self._settings, seed=episode.game_seeds[0])
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
            return observation, ILLEGAL_REWARD[self.reward], True, False, info
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
        observation = np.empty(OBSERVATION_SIZE, dtype=np.float32)
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        observe_at(self.game._states, 0, self.seat, observation, mask)
        # An array without dimensions: TorchRL asks infos for their dtype, and of NumPy's bool
        # Gymnasium's own vector environments would make an array of objects.
        return observation, {"action_mask": mask, "illegal_action": np.array(is_illegal)}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask (NUM_ACTIONS,) bool, True for a legal action, as sb3-contrib asks for it."""
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        mask_at(self.game._states, 0, self.seat, mask)
        return mask.view(np.bool_)

    def render(self) -> Any:
        """The table as `render_view` sees it, in the form of `render_mode`.

        Returns:
            A string for ``"ansi"`` and ``"svg"``; a new ``(H, 1000, 3)`` uint8 array for ``"rgb_array"``,
            of the same height in a whole game; None for ``"human"`` and without a mode.

        """
        return self._renderer.render(self.game._states, self.seat)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()


class SoloEnv(SeatEnv):
    """One player against the DA, whose choices the automaton makes; see `SeatEnv`.

    Args:
        level: ``"standard"``, ``"super_droid"`` or ``"cyborg"``: how strong the DA is.
        draft: whether the cards are drafted.
        edition: ``"grey_fox"`` or ``"board_and_dice"``: the rulebook; against the DA they agree.
        reward: ``"win"``: 1 for a win, -1 for a loss or a tie; ``"margin"``: own score minus the DA's.
        round_limit: the round at whose end the game is truncated; by default 60.
        handicap: points added to the DA's score, 0..20.
        illegal: what an illegal action does. ``"terminate"``: the episode ends as a loss, with -1 or,
            for ``"margin"``, -60, which is worse than any loss; the game itself stays as it was.
            ``"raise"``: an `IllegalAction` is raised, and the episode goes on.
        render_mode: None, ``"ansi"`` (text in colours), ``"rgb_array"`` (pixels), ``"svg"`` (a picture), or
            ``"human"`` (a window, which follows the game by itself).
        render_view: whose knowledge a picture shows: ``"learner"``, nothing that the learner may not
            know; a seat; or ``"all"``, every card.
        render_theme: ``"light"`` or ``"dark"``.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        level: str = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        reward: str = "win",
        round_limit: int | None = None,
        illegal: str = "terminate",
        render_mode: str | None = None,
        render_view: int | str = LEARNER,
        render_theme: str = "light",
        handicap: int = 0,
    ) -> None:
        config = GameConfig(1, "solo", level, draft, edition, round_limit=round_limit, handicap=handicap)
        super().__init__(config, PLAYER_SEAT, None, reward, illegal, render_mode, render_view, render_theme)


class TableEnv(SeatEnv):
    """One seat of a game of 2 to 4, the others played by given opponents; see `SeatEnv`.

    Also the solo game, as a table of two: the player in seat 0, and in seat 1 the DA, whose choices
    are an agent's; ``TableEnv(mode="solo", seat=1, opponents="greedy")`` is for learning the DA's.
    A game in which the learner is never asked, as the DA may be, is passed over for the next one.

    Args:
        players: 2, 3 or 4.
        opponents: an agent or the name of one, for all other seats, or a list with one for each of
            them, clockwise from the learner's seat. Names are those of `pocketmars_agents.make_agent`.
        seat: the learner's seat, 0 .. players - 1, or ``"random"``: a new one each episode.
        mode: ``"multi"``, or ``"solo"`` for a table of player and DA.
        level: ``"standard"``, ``"super_droid"`` or ``"cyborg"`` (solo).
        draft: whether the cards are drafted.
        edition: ``"grey_fox"`` or ``"board_and_dice"``: whose tie-breaks count.
        reward: ``"win"`` or ``"margin"``; `final_rewards` says what they are.
        round_limit: the round at whose end the game is truncated; by default 200, solo 60.
        handicap: points added to the DA's score, 0..20 (solo).
        illegal: what an illegal action of the learner does; as in `SoloEnv`.
        render_mode: None, ``"ansi"`` (text in colours), ``"rgb_array"`` (pixels), ``"svg"`` (a picture), or
            ``"human"`` (a window, which follows the game by itself).
        render_view: whose knowledge a picture shows: ``"learner"``, nothing that the learner may not
            know; a seat; or ``"all"``, every card.
        render_theme: ``"light"`` or ``"dark"``.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    def __init__(
        self,
        players: int = 2,
        opponents: OpponentsLike = "random",
        seat: int | str = "random",
        mode: str = "multi",
        level: str | None = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        reward: str = "win",
        round_limit: int | None = None,
        illegal: str = "terminate",
        render_mode: str | None = None,
        render_view: int | str = LEARNER,
        render_theme: str = "light",
        handicap: int = 0,
    ) -> None:
        config = table_config(players, mode, level, draft, edition, round_limit, handicap)
        check_opponents(opponents)
        super().__init__(config, seat, opponents, reward, illegal, render_mode, render_view, render_theme)
