"""The OpenEnv server for playing games as text; each session has its own environment."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from openenv.core.env_server.http_server import create_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import State

from pocketmars_env.adapters.openenv.models import TextGameAction, TextGameObservation
from pocketmars_env.text_interface import TextEnv


class TextGameEnvironment(Environment[TextGameAction, TextGameObservation, State]):  # type: ignore[misc]
    """An OpenEnv environment that wraps a `TextEnv`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, env: TextEnv) -> None:
        super().__init__()
        self._env = env
        self._state = State(episode_id=None, step_count=0)

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any
    ) -> TextGameObservation:
        """Start a game, and return the first prompt and the system prompt."""
        if kwargs:
            raise ValueError(f"reset accepts seed and episode_id, got {', '.join(sorted(kwargs))[:80]}")
        text = self._env.reset(seed)
        self._state = State(episode_id=episode_id or uuid4().hex, step_count=0)
        return TextGameObservation(text=text, system_prompt=self._env.system_prompt, reward=0.0)

    def step(
        self, action: TextGameAction, timeout_s: float | None = None, **kwargs: Any
    ) -> TextGameObservation:
        """Play the action that a reply names; see `TextEnv.step`."""
        step = self._env.step(action.reply)
        self._state.step_count += 1
        return TextGameObservation(
            text=step.text,
            is_illegal=step.is_illegal,
            reward=step.reward,
            done=step.terminated or step.truncated,
        )

    @property
    def state(self) -> State:
        """The episode's id, the number of replies and, after a `reset`, the entries of `TextEnv.result()`."""
        result = self._env.result() if self._state.episode_id else {}
        return State(episode_id=self._state.episode_id, step_count=self._state.step_count, **result)


def make_app(make_env: Callable[[], TextEnv], max_sessions: int) -> Any:
    """Create the server's ASGI application."""
    return create_app(
        lambda: TextGameEnvironment(make_env()),
        TextGameAction,
        TextGameObservation,
        env_name="pocketmars",
        max_concurrent_envs=max_sessions,
    )
