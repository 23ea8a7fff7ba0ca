"""The solo game against Devious Automatics as a Gymnasium environment.

>>> import gymnasium, pocketmars_env
>>> env = gymnasium.make("pocketmars/Solo-v0", level="cyborg")
>>> observation, info = env.reset(seed=1)
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)

"""

from typing import Any, ClassVar, SupportsIndex

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from pocketmars_env.engine.actions import NUM_ACTIONS
from pocketmars_env.engine.batch import mask_at, observe_at
from pocketmars_env.engine.config import GameConfig, check_choice
from pocketmars_env.engine.constants import PLAYER_SEAT
from pocketmars_env.engine.observation import OBSERVATION_SIZE
from pocketmars_env.envs.rewards import ILLEGAL_REWARD, check_reward, final_rewards
from pocketmars_env.game import Game, IllegalAction

ILLEGAL_POLICIES = ("terminate", "raise")


class SoloEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One player against the DA, whose choices the automaton makes.

    Observations are `Box(0, 1, (OBSERVATION_SIZE,), float32)`, actions `Discrete(NUM_ACTIONS)`, both
    the same as in `pocketmars_env.envs.aec`, which has the tables. An episode is one game; the reward
    comes at its end. At the round limit the episode is truncated, with the reward of the scores as
    they stand.

    `info` has always the same keys:

    - ``action_mask``: (NUM_ACTIONS,) int8, 1 for a legal action; all zeros when the game is over;
    - ``illegal_action``: whether the action was illegal.

    Args:
        level: ``"standard"``, ``"super_droid"`` or ``"cyborg"``: how strong the DA is.
        draft: whether the cards are drafted.
        edition: ``"grey_fox"`` or ``"board_and_dice"``: the rulebook; against the DA they agree.
        reward: ``"win"``: 1 for a win, -1 for a loss or a tie; ``"margin"``: own score minus the DA's.
        round_limit: the round at whose end the game is truncated; by default 60.
        illegal: what an illegal action does. ``"terminate"``: the episode ends as a loss, with -1 or,
            for ``"margin"``, -40, which is worse than any loss; the game itself stays as it was.
            ``"raise"``: an `IllegalAction` is raised, and the episode goes on.
        render_mode: None.

    Attributes:
        game: the game that is played, with all that is hidden: for analysis, not for agents. Step
            the environment, not the game. `reset` puts a new game here.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    # Gymnasium declares an instance variable, but means one of the class.
    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        level: str = "standard",
        draft: bool = False,
        edition: str = "grey_fox",
        reward: str = "win",
        round_limit: int | None = None,
        illegal: str = "terminate",
        render_mode: str | None = None,
    ) -> None:
        config = GameConfig(1, "solo", level, draft, edition, round_limit=round_limit)
        check_reward(reward)
        check_choice("illegal", illegal, ILLEGAL_POLICIES)
        if render_mode is not None:
            raise ValueError(f"render_mode must be None, got {render_mode!r}")
        self.render_mode = render_mode
        self.reward = reward
        self.illegal = illegal
        self.observation_space = spaces.Box(0.0, 1.0, (OBSERVATION_SIZE,), np.float32)
        self.action_space = spaces.Discrete(NUM_ACTIONS)
        self.game = Game(**config.as_dict())
        self._settings = config.as_dict()
        self._is_running = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Start a new game, whose seed is the next number of the environment's random stream.

        Args:
            seed: starts the stream anew; see `gymnasium.Env.reset`.
            options: ignored.

        """
        super().reset(seed=seed)
        # Raw words: for these alone NumPy promises that they stay the same for ever.
        game_seed = self.np_random.bit_generator.random_raw()
        self.game = Game(**self._settings, seed=game_seed)
        self._is_running = True
        return self._observe(is_illegal=False)

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Answer the question that stands.

        Raises:
            IllegalAction: with ``illegal="raise"``; nothing is changed.
            ResetNeeded: if no episode is running.

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
        observation, info = self._observe(is_illegal=False)
        if not self.game.over:
            return observation, 0.0, False, False, info
        self._is_running = False
        truncated = self.game.truncated
        rewards = final_rewards(self.reward, self.game.scores(), self.game.winners())
        return observation, rewards[PLAYER_SEAT], not truncated, truncated, info

    def _observe(self, is_illegal: bool) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Observation and info, in new arrays."""
        observation = np.empty(OBSERVATION_SIZE, dtype=np.float32)
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        observe_at(self.game._states, 0, PLAYER_SEAT, observation, mask)
        return observation, {"action_mask": mask, "illegal_action": is_illegal}

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask (NUM_ACTIONS,) bool, True for a legal action, as sb3-contrib asks for it."""
        mask = np.empty(NUM_ACTIONS, dtype=np.int8)
        mask_at(self.game._states, 0, PLAYER_SEAT, mask)
        return mask.view(np.bool_)

    def render(self) -> None:
        """Show nothing: there is no render mode but None."""
        gymnasium.logger.warn("render() was called, but the environment was made without a render_mode.")
