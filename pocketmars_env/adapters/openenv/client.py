"""The OpenEnv client for playing games as text."""

from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.types import State

from pocketmars_env.adapters.openenv.models import TextGameAction, TextGameObservation


class TextGameClient(EnvClient[TextGameAction, TextGameObservation, State]):  # type: ignore[misc]
    """An asynchronous client for one session with the OpenEnv server.

    ``TextGameClient(base_url="http://localhost:8000").sync()`` returns a synchronous client.
    """

    def _step_payload(self, action: TextGameAction) -> dict[str, Any]:
        return {"reply": action.reply}

    def _parse_result(self, payload: dict[str, Any]) -> "StepResult[TextGameObservation]":
        done, reward = payload.get("done", False), payload.get("reward")
        observation = TextGameObservation(**{**payload["observation"], "done": done, "reward": reward})
        return StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> State:
        return State(**payload)
