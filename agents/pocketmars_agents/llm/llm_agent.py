"""Agent that gets its actions from a language model through the chat-completions protocol."""

import json
import os
import re
import time
import uuid
from pathlib import Path
from typing import Any

import numpy as np

from pocketmars_agents.llm.chat import Completion, Message, ServerError, api_key, complete, httpx, server_url
from pocketmars_agents.llm.settings import LlmSettings
from pocketmars_agents.usage import Usage
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game import View
from pocketmars_env.text_interface import ReplyError, decision_prompt, parse_action, system_prompt

FIRST_PAUSE = 1.0
"""Pause in seconds after the first request for a decision, if the request fails. The pause doubles with each
further request for the same decision. If the server asks for a pause, that pause is used instead."""
REMEMBERED = 4_000
"""Maximum number of characters, from the end of an illegal reply, that are shown to the model again."""
FOLDER = "POCKETMARS_LLM_TRANSCRIPTS"
"""Name of the environment variable that contains the path of the transcript folder. If the variable is unset
or empty, no transcripts are saved."""
CORRECTION = "Reply with the number of a legal action, in a line such as ACTION: 57"


class Forfeit(Exception):
    """Raised if the agent forfeits the game; the message is one line."""


class LlmAgent:
    """A language model that receives each decision as text and replies with an action.

    The environment variables ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY`` set the server's address and API key.
    Each decision starts a new conversation. Its first messages contain the rules, the seat's view in words,
    the events since the seat's last decision, and the legal actions. If a reply contains no legal action, the
    model receives an error message and is asked again. If the environment variable
    ``POCKETMARS_LLM_TRANSCRIPTS`` names a folder, conversations are saved there.

    The agent forfeits the game by raising a `Forfeit` if the model has not replied with a legal action by the
    last retry, if the server rejects a request, or if the game needs more requests than the settings allow.

    Args:
        settings: the model and its settings.

    Raises:
        ValueError: if the extra ``llm`` is not installed, or if the server's URL or the API key is invalid.

    """

    wants_events = True

    def __init__(self, settings: LlmSettings) -> None:
        self.settings = settings
        self.name = settings.name
        self._url = server_url()
        api_key()
        httpx()
        self._calls_left = settings.calls
        self._usage = Usage()
        self._transcript = Transcript(settings.model)

    def start_game(self) -> None:
        """Start a new game, in which the agent can again make as many calls as the settings allow."""
        self._calls_left = self.settings.calls

    @classmethod
    def from_name(cls, name: str) -> "LlmAgent":
        """Return the agent for a name such as ``"llm:qwen3:8b:temperature=0.7"``."""
        return cls(LlmSettings.from_name(name))

    def take_usage(self) -> Usage:
        """Return the numbers of requests, tokens and illegal replies since this method was last called."""
        usage, self._usage = self._usage, Usage()
        return usage

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return the model's action; with the setting ``seed=yes``, `rng` provides the seed of the requests.

        Raises:
            Forfeit: if the agent forfeits the game; see `LlmAgent`.
            OSError: if the transcript cannot be written.

        """
        messages: list[Message] = [
            {"role": "system", "content": system_prompt(view.spec)},
            {"role": "user", "content": decision_prompt(view)},
        ]
        before, action, reason = self._usage, None, None
        try:
            action = self._decide(view, self._request(messages, rng))
        except Forfeit as error:
            reason = str(error)
            raise
        finally:
            self._transcript.add(
                {
                    "model": self.settings.model,
                    "seat": view.seat,
                    "messages": messages,
                    "action": action,
                    "error": reason,
                    "calls": self._usage.calls - before.calls,
                    "illegal": self._usage.illegal - before.illegal,
                }
            )
        return action

    def _request(self, messages: list[Message], rng: np.random.Generator) -> dict[str, Any]:
        """Return the body of the request, without settings that are None."""
        settings = self.settings
        optional = {"temperature": settings.temperature, "max_tokens": settings.max_tokens}
        optional["seed"] = int(rng.integers(2**31)) if settings.seed == "yes" else None
        options = {key: value for key, value in optional.items() if value is not None}
        return {"model": settings.model, "messages": messages, **options}

    def _decide(self, view: View, request: dict[str, Any]) -> int:
        """Return the model's action, or raise a `Forfeit`; add replies and errors to the conversation."""
        messages, problem, pause = request["messages"], "", 0.0
        for attempt in range(self.settings.retries + 1):
            time.sleep(pause)
            try:
                reply = self._call(request)
            except ServerError as error:
                problem = str(error)
                if not error.is_temporary:
                    break
                pause = FIRST_PAUSE * 2**attempt if error.pause is None else error.pause
                continue
            try:
                action = parse_action(view, reply.text, is_strict=self.settings.replies == "strict")
            except ReplyError as error:
                problem, pause = str(error), 0.0
                self._usage += Usage(illegal=1)
                messages.append({"role": "assistant", "content": reply.text[-REMEMBERED:] or "(empty)"})
                messages.append({"role": "user", "content": f"Error: {problem}. {CORRECTION}"})
            else:
                messages.append({"role": "assistant", "content": reply.text})
                return action
        raise Forfeit(f"no legal action from the model: {problem}")

    def _call(self, request: dict[str, Any]) -> Completion:
        """Send one request; raise a ServerError if it fails, or a `Forfeit` if no calls are left."""
        if self._calls_left == 0:
            raise Forfeit("no calls are left for this game")
        self._calls_left -= 1
        self._usage += Usage(calls=1)
        reply = complete(self._url, request, self.settings.timeout)
        self._usage += Usage(0, reply.prompt_tokens, reply.completion_tokens)
        return reply


class Transcript:
    """The transcript of one agent's conversations, with one line per decision.

    The whole file is replaced atomically after each decision, so an interruption cannot damage it. The file
    name begins with a simplified form of the model's name. If transcripts are not saved, `path` is None.
    """

    def __init__(self, model: str) -> None:
        folder = os.environ.get(FOLDER)
        name = f"{re.sub(r'[^A-Za-z0-9.-]+', '_', model)[:60]}-{uuid.uuid4().hex[:12]}.jsonl"
        self.path = Path(folder) / name if folder else None
        self._lines: list[str] = []

    def add(self, decision: dict[str, Any]) -> None:
        """Add a decision and save the transcript, unless `path` is None; raise an OSError if saving fails."""
        if self.path is not None:
            self._lines.append(json.dumps(decision, ensure_ascii=False) + "\n")
            write_whole(self.path, "".join(self._lines).encode())
