"""A local chat-completions server whose replies are scripted by a test."""

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from pocketmars_agents.llm import llm_agent

KEY = "sk-this-is-very-secret-0123456789"

Reply = str | None | Callable[["Handler"], None]
"""The text of the reply, None for a null text, or a function that writes the whole response."""
Script = Callable[[dict[str, Any]], Reply]
"""A function that returns the reply to the body of a request."""


class Handler(BaseHTTPRequestHandler):
    """A request handler that replies according to the script of its server."""

    server: "ScriptedServer"
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((self.path, dict(self.headers), body))
        reply = self.server.script(body)
        if callable(reply):
            reply(self)
        elif body.get("stream"):
            self.send_stream(completion(reply))
        else:
            self.send_json(200, completion(reply))

    def do_GET(self) -> None:
        self.send_json(404, {"error": {"message": "nothing here"}})

    def send_json(self, status: int, data: Any, **headers: str) -> None:
        self.send_content(status, json.dumps(data).encode(), **headers)

    def send_stream(self, whole: dict[str, Any]) -> None:
        """Send a completion as server-sent events."""
        (choice,) = whole["choices"]
        delta = {"index": 0, "delta": choice["message"], "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": "stop"}
        base = {"id": "x", "object": "chat.completion.chunk", "created": 1, "model": "mars"}
        chunks = [{**base, "choices": [part]} for part in (delta, last)]
        chunks.append({**base, "choices": [], "usage": whole["usage"]})
        events = [*map(json.dumps, chunks), "[DONE]"]
        content = "".join(f"data: {event}\n\n" for event in events).encode()
        self.send_content(200, content, Content_Type="text/event-stream")

    def send_content(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        """Print nothing."""


class ScriptedServer(ThreadingHTTPServer):
    """A scripted server that records the path, headers and body of every request."""

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script = script
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors, since a client may close the connection at any time."""


def completion(text: str | None) -> dict[str, Any]:
    """Return the chat-completion response with the given reply text."""
    return {
        "id": "x",
        "object": "chat.completion",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107},
    }


def legal_in(body: dict[str, Any]) -> list[int]:
    """Return the legal actions listed in a request's last prompt that has such a list."""
    contents = [message["content"] for message in body["messages"] if message["role"] == "user"]
    texts = [text if isinstance(text, str) else text[0]["text"] for text in contents]
    prompt = next(text for text in reversed(texts) if "Your legal actions:\n" in text)
    _, _, listed = prompt.rpartition("Your legal actions:\n")
    return [int(number) for number in re.findall(r"^(\d+): ", listed, re.MULTILINE)]


def first_legal(body: dict[str, Any]) -> str:
    """Reply with the first legal action."""
    return f"It is the best.\nACTION: {legal_in(body)[0]}"


def last_legal(body: dict[str, Any]) -> str:
    """Reply with the last legal action."""
    return f"ACTION: {legal_in(body)[-1]}"


@contextmanager
def serving(script: Script, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    """Run a scripted server in a thread, with its address and key in the environment variables.

    Failed requests are repeated without a pause.
    """
    server = ScriptedServer(script)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1/")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(llm_agent, "FIRST_PAUSE", 0.0)
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
