"""Requests to language models through the chat-completions protocol.

Servers are not trusted: a request has a time limit, a response has a size limit, redirects are not followed,
and the values in a response are checked.
"""

import contextlib
import http.client
import json
import math
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pocketmars_agents.llm.server import Server, key_of_server, without_key
from pocketmars_env.core.errors import MAX_QUOTED, one_line
from pocketmars_env.core.files.reading import parse_json

Message = dict[str, str]

MAX_BYTES = 4 * 2**20
"""Maximum size of a response, in bytes."""
MAX_TOKENS = 10**9
TEMPORARY = {408, 409, 425, 429}
"""HTTP statuses below 500 after which a request may be retried."""
LONGEST_PAUSE = 60.0


class ServerError(Exception):
    """Raised if a request fails; the message is one line.

    Attributes:
        is_temporary: whether the same request may succeed later.
        pause: the number of seconds that the server asks the client to wait, capped at `LONGEST_PAUSE`; None
            if the server does not ask for a pause.

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


def complete(server: Server, body: Mapping[str, Any], seconds: float) -> Completion:
    """Send a conversation to a model and return the reply."""
    status, pause, text = post(server, json.dumps(body).encode(), seconds)
    try:
        data = parse_json(text)
    except ValueError:
        data = None
    if status != http.client.OK:
        is_temporary = status in TEMPORARY or status >= http.client.INTERNAL_SERVER_ERROR
        raise ServerError(f"HTTP {status}: {message_in(data, text)}", is_temporary, pause)
    try:
        reply = text_of(data["choices"][0]["message"]["content"])
    except (TypeError, KeyError, IndexError, AttributeError):
        raise ServerError(f"not a chat completion: {message_in(data, text)}", True) from None
    usage = data.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    return Completion(reply, tokens(counts.get("prompt_tokens")), tokens(counts.get("completion_tokens")))


def post(server: Server, body: bytes, seconds: float) -> tuple[int, float | None, str]:
    """Send a request and return the HTTP status, the pause requested by the server, and the response body.

    This function removes the API key from all text of the server, including messages of exceptions.
    """
    headers = {"Content-Type": "application/json", "User-Agent": "pocketmars"}
    key = key_of_server()
    if key:
        headers["Authorization"] = f"Bearer {key}"
    end, is_late, problem = time.monotonic() + seconds, threading.Event(), ""
    connection = connection_to(server, seconds)
    try:
        connection.connect()
        # A socket timeout limits each read separately; a server that sends byte by byte never exceeds it.
        with deadline(connection.sock, end - time.monotonic(), is_late):
            connection.request("POST", f"{server.path}/chat/completions", body, headers)
            response = connection.getresponse()
            content = body_of(response)
            pause = seconds_in(response.getheader("Retry-After"))
    except (OSError, http.client.HTTPException) as error:
        if isinstance(error, TimeoutError):
            is_late.set()
        problem = one_line(without_key(f"{type(error).__name__}: {error}"), MAX_QUOTED)
    finally:
        connection.close()
    # Raised only here, because the context of an exception would keep the original message.
    if is_late.is_set():
        raise ServerError(f"no reply within {seconds:g} s", True)
    if problem:
        raise ServerError(problem, True)
    if len(content) > MAX_BYTES:
        raise ServerError(f"the response has more than {MAX_BYTES:,} bytes", True)
    return response.status, pause, without_key(content.decode(errors="replace"))


def body_of(response: http.client.HTTPResponse) -> bytes:
    """Read a response's body, at most ``MAX_BYTES + 1`` bytes.

    ``response.read(n)`` has no such limit: after an invalid chunk size of -1, it reads until the connection
    is closed.
    """
    most = MAX_BYTES + 1 if response.length is None else min(response.length, MAX_BYTES + 1)
    content = bytearray()
    while len(content) < most and (part := response.read1(most - len(content))):
        content += part
    return bytes(content)


def connection_to(server: Server, seconds: float) -> http.client.HTTPConnection:
    """Return an unopened connection to the server."""
    # Without an explicit port, `http.client` would parse the end of an IPv6 address as the port.
    if not server.is_secure:
        port = server.port or http.client.HTTP_PORT
        return http.client.HTTPConnection(server.host, port, timeout=seconds)
    port, context = server.port or http.client.HTTPS_PORT, ssl.create_default_context()
    return http.client.HTTPSConnection(server.host, port, timeout=seconds, context=context)


@contextlib.contextmanager
def deadline(sock: socket.socket, seconds: float, is_late: threading.Event) -> Iterator[None]:
    """Limit the duration of a ``with`` block.

    If the block takes longer than `seconds`, `is_late` is set and the socket is shut down, so that blocked
    socket calls return.
    """

    def shut_down() -> None:
        is_late.set()
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(max(seconds, 0.0), shut_down)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# --- values from the server ---------------------------------------------------------------------------


def text_of(content: Any) -> str:
    """Return the text in a message's content, which is a string, a list of parts, or None (no text)."""
    if content is None:
        return ""
    if isinstance(content, list):
        return "".join(text_of(part["text"]) for part in content if part.get("type") == "text")
    if not isinstance(content, str):
        raise TypeError(content)
    return content


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


def message_in(data: Any, text: str) -> str:
    """Return the server's error message; if there is none, return the beginning of the response."""
    error = data.get("error") if isinstance(data, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return one_line(message if isinstance(message, str) else text, MAX_QUOTED)
