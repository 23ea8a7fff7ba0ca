"""Requests to language models through the chat-completions protocol.

A request has a time limit, a response has a size limit, redirects are not followed, and the values in a
response are checked. The environment variables ``OPENAI_BASE_URL`` and ``OPENAI_API_KEY`` set the server's
URL and the API key. The key is read for each request and not stored.
"""

import json
import math
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec

from pocketmars_agents.extras import imported
from pocketmars_env.core.errors import MAX_QUOTED, one_line
from pocketmars_env.core.gate import decode

Message = dict[str, str]

BASE_URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
"""Names of the environment variables; many other clients of chat-completions servers use the same names."""
MAX_BYTES = 4 * 2**20
"""Maximum size of a response, in bytes."""
MAX_TOKENS = 10**9
TEMPORARY = {408, 409, 425, 429}
"""HTTP statuses below 500 after which a request may be retried."""
LONGEST_PAUSE = 60.0


class ServerError(Exception):
    """Raised if a request fails; the message is one line.

    `is_temporary` tells whether the same request may succeed later, and `pause` for how many seconds the
    server asks the client to wait, if it does.
    """

    def __init__(self, message: str, is_temporary: bool, pause: float | None = None) -> None:
        super().__init__(message)
        self.is_temporary = is_temporary
        self.pause = pause


@dataclass(frozen=True)
class Completion:
    """A model's reply and the server's token counts, which are 0 if missing or invalid."""

    text: str
    prompt_tokens: int
    completion_tokens: int


def complete(url: str, body: Mapping[str, Any], seconds: float) -> Completion:
    """Send a conversation to a model and return the reply."""
    status, pause, text = post(url, json.dumps(body).encode(), seconds)
    if status != 200:
        raise ServerError(f"HTTP {status}: {message_in(text)}", status in TEMPORARY or status >= 500, pause)
    try:
        response = decode(text, ChatCompletion, "the response")
    except ValueError:
        raise ServerError(f"not a chat completion: {message_in(text)}", True) from None
    content = response.choices[0].message.content
    parts = [Part("text", content)] if isinstance(content, str) else content or []
    reply = "".join(part.text for part in parts if part.type == "text")
    counts = response.usage if isinstance(response.usage, dict) else {}
    return Completion(reply, tokens(counts.get("prompt_tokens")), tokens(counts.get("completion_tokens")))


def post(url: str, body: bytes, seconds: float) -> tuple[int, float | None, str]:
    """Send a request and return the HTTP status, the pause requested by the server, and the response body.

    This function replaces the API key in all text of the server, including messages of exceptions.
    """
    key = api_key()
    headers = {"Content-Type": "application/json", "User-Agent": "pocketmars", "Accept-Encoding": "identity"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    end, content, client = time.monotonic() + seconds, b"", httpx()
    try:
        with client.stream(
            "POST", f"{url}/chat/completions", content=body, headers=headers, timeout=seconds
        ) as response:
            for chunk in response.iter_raw():
                content += chunk
                if len(content) > MAX_BYTES:
                    raise ServerError(f"the response has more than {MAX_BYTES:,} bytes", True)
                if time.monotonic() > end:  # `timeout` limits each read, but not their sum
                    raise late(seconds)
    except client.TimeoutException:
        raise late(seconds) from None
    except client.HTTPError as error:
        problem = f"{type(error).__name__}: {error}"
        raise ServerError(one_line(without(key, problem), MAX_QUOTED), True) from None
    pause = seconds_in(response.headers.get("Retry-After"))
    return response.status_code, pause, without(key, content.decode(errors="replace"))


def late(seconds: float) -> ServerError:
    return ServerError(f"no reply within {seconds:g} s", True)


def httpx() -> Any:
    """Import and return the optional library httpx, late because the import is slow."""
    return imported("httpx", "language models need httpx", "llm")


# --- address and key ----------------------------------------------------------------------------------


def server_url() -> str:
    """Return the URL in ``OPENAI_BASE_URL``; the ValueError for an unusable URL does not show it."""
    url = os.environ.get(BASE_URL, "").rstrip("/")
    if not is_usable(url):
        raise ValueError(
            f"language models need the environment variable {BASE_URL}, an ASCII URL without user, query and "
            "fragment, such as http://localhost:8000/v1"
        )
    return url


def is_usable(url: str) -> bool:
    """Return whether a text is a URL of only scheme, host, port and path."""
    try:
        parts = urlsplit(url)
        has_host = bool((parts.hostname or "").encode("idna")) and parts.port != 0
    except ValueError:
        return False
    return (
        has_host
        and parts.scheme in ("http", "https")
        and is_printable_ascii(url)
        and not set("@?#") & set(url)
    )


def api_key() -> str:
    """Return the API key from ``OPENAI_API_KEY``; an empty string if the variable is not set."""
    key = os.environ.get(KEY, "").strip()
    if key and not is_printable_ascii(key):  # the error of the HTTP library would show the key
        raise ValueError(f"{KEY} must be printable ASCII without spaces")
    return key


def is_printable_ascii(text: str) -> bool:
    return text.isascii() and text.isprintable() and " " not in text


def without(key: str, text: str) -> str:
    """Return a text from the server without the API key."""
    return text.replace(key, "[key]") if key else text


# --- values from the server ---------------------------------------------------------------------------


class Part(msgspec.Struct):
    """A part of a message."""

    type: str
    text: str = ""


class Reply(msgspec.Struct):
    """A model's message."""

    content: str | list[Part] | None


class Choice(msgspec.Struct):
    """One of a model's answers to a request."""

    message: Reply


class ChatCompletion(msgspec.Struct):
    """The fields of a response that are read; servers add more."""

    choices: Annotated[list[Choice], msgspec.Meta(min_length=1)]
    usage: Any = None


class Problem(msgspec.Struct):
    """An error with its message."""

    message: str


class Failure(msgspec.Struct):
    """A response with an error."""

    error: Problem | str


def tokens(count: Any) -> int:
    return count if type(count) is int and 0 <= count <= MAX_TOKENS else 0


def seconds_in(header: str | None) -> float | None:
    """Return the number of seconds in a Retry-After header, limited to `LONGEST_PAUSE`.

    The result is None if the header is missing or does not contain a valid number of seconds.
    """
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return min(seconds, LONGEST_PAUSE) if seconds >= 0 and math.isfinite(seconds) else None


def message_in(text: str) -> str:
    """Return the server's error message; if there is none, return the beginning of the response."""
    try:
        error = decode(text, Failure, "the response").error
    except ValueError:
        return one_line(text, MAX_QUOTED)
    return one_line(error if isinstance(error, str) else error.message, MAX_QUOTED)
