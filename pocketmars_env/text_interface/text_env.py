"""Text environment for one learner: the observations are prompts, and the actions are replies."""

from typing import Any, NamedTuple

import gymnasium

from pocketmars_env.core.settings import check_integer
from pocketmars_env.envs.rewards import illegal_reward
from pocketmars_env.text_interface.prompts import decision_prompt, system_prompt
from pocketmars_env.text_interface.replies import ReplyError, parse_action

DEFAULT_RETRIES = 2


class TextStep(NamedTuple):
    """The result of `TextEnv.step` for one reply.

    Attributes:
        text: the next prompt, a description of the final position, or an error message for an illegal reply.
        reward: the learner's reward, which is 0 until the episode ends.
        terminated: whether the game has ended under the rules, or is lost because of illegal replies.
        truncated: whether the game has ended because of the round limit.
        is_illegal: whether `parse_action` rejected the reply, so that no action was played.

    """

    text: str
    reward: float
    terminated: bool
    truncated: bool
    is_illegal: bool


class TextEnv:
    """A text interface to a Gymnasium environment of this package, for a language model.

    Args:
        env_id: the id of the Gymnasium environment, such as ``"pocketmars/Solo-v1"``.
        retries: the number of consecutive illegal replies that are allowed, 0..100. One more illegal reply
            ends the episode; see `illegal_reward` for the reward.
        is_strict: whether a reply must consist of nothing but the action; see `parse_action`.
        settings: settings of the environment, such as ``opponents="greedy"``; the setting ``illegal`` has
            no effect.

    Attributes:
        system_prompt: the game's system prompt; see `prompts.system_prompt`.

    Raises:
        ValueError: for an invalid setting, or if the environment does not belong to this package.
        TypeError: for an unknown setting, or if an environment of another package has no setting ``illegal``.
        gymnasium.error.Error: if there is no environment with this id.

    """

    def __init__(
        self, env_id: str, *, retries: int = DEFAULT_RETRIES, is_strict: bool = False, **settings: Any
    ) -> None:
        check_integer("retries", retries, 0, 100)
        self._env: Any = gymnasium.make(env_id, **{**settings, "illegal": "raise"}).unwrapped
        if not hasattr(self._env, "game_spec"):
            raise ValueError(f"{env_id} is not an environment of this package")
        self.system_prompt = system_prompt(self._env.game_spec)
        self._retries = retries
        self._is_strict = is_strict
        self._illegal = 0
        self._is_running = False

    def reset(self, seed: int | None = None) -> str:
        """Start a new game, and return the prompt of the learner's first decision.

        Raises:
            gymnasium.error.Error: if the seed is neither None nor an ``int`` ≥ 0.
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        self._is_running = False  # until the opponents have played
        self._env.reset(seed=seed)
        self._illegal = 0
        self._is_running = True
        return decision_prompt(self._view())

    def step(self, reply: str) -> TextStep:
        """Play the action in a reply, then the opponents' actions until the learner's next decision.

        If the game ends before that decision, the episode ends. If the reply is illegal, no action is
        played, and no error is raised.

        Raises:
            gymnasium.error.ResetNeeded: before the first reset, after the end of an episode, and after an
                error while the opponents played.
            OpponentError: if an opponent chooses an illegal action, or does not return an integer.

        """
        if not self._is_running:
            raise gymnasium.error.ResetNeeded("no game is running: call reset() first")
        try:
            action = parse_action(self._view(), reply, is_strict=self._is_strict)
        except ReplyError as error:
            return self._illegal_step(f"Error: {error}")
        self._illegal = 0
        self._is_running = False  # until the opponents have played
        _, reward, terminated, truncated, _ = self._env.step(action)
        self._is_running = not (terminated or truncated)
        text = decision_prompt(self._view()) if self._is_running else self._view().describe()
        return TextStep(text, float(reward), terminated, truncated, False)

    def _illegal_step(self, error: str) -> TextStep:
        self._illegal += 1
        if self._illegal <= self._retries:
            return TextStep(error, 0.0, False, False, True)
        self._is_running = False
        reward = illegal_reward(self._env.reward, self._env.game_spec)
        return TextStep(f"{error}\n\nThe game is lost.", reward, True, False, True)

    def _view(self) -> Any:
        return self._env.game.view(self._env.seat, has_events=True)

    def result(self) -> dict[str, Any]:
        """Return the learner's ``seat`` and the game's ``over``, ``scores`` and ``winners`` as plain data.

        If illegal replies have ended the episode, the game itself is unfinished: ``over`` is False, and
        ``winners`` is empty.
        """
        game = self._env.game
        return {
            "seat": self._env.seat, "over": game.over, "scores": game.scores, "winners": game.winners
        }  # fmt: skip
