"""Tests of the language-model agent against a scripted server."""

import json
import pickle
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.llm import llm_agent
from pocketmars_agents.llm.llm_agent import Forfeit, LlmAgent
from pocketmars_agents.llm.settings import LlmSettings
from pocketmars_agents.registry import canonical_name, make_agent, needs_trust
from pocketmars_agents.usage import Usage
from pocketmars_env import Game
from pocketmars_env.core.game import View
from tests.agents.human.sessions import session_with
from tests.agents.llm.scripted import KEY, Handler, Script, completion, first_legal, legal_in, serving

HEADERS = b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"


@pytest.fixture(scope="module")
def view() -> View:
    return Game(seed=1).view()


def act(agent: LlmAgent, view: View) -> int:
    return agent.act(view, np.random.default_rng(3))


# --- requests -----------------------------------------------------------------------------------------


def test_a_request_has_rules_position_actions_and_settings(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(first_legal, monkeypatch) as server:
        assert act(LlmAgent(LlmSettings("mars/a:8b", temperature=0.5, max_tokens=50)), view) == view.legal[0]
        assert act(LlmAgent(LlmSettings("mars")), view) == view.legal[0]
        assert act(LlmAgent(LlmSettings("mars", seed="no")), view) == view.legal[0]
    (path, headers, body), (_, _, plain), (_, _, unseeded) = server.requests
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("mars/a:8b", 0.5, 50)
    system, user = body["messages"]
    assert (system["role"], user["role"]) == ("system", "user")
    assert "launch" in system["content"]
    assert legal_in(body) == view.legal
    assert body["seed"] == plain["seed"]
    assert set(plain) == {"model", "messages", "seed"}
    assert set(unseeded) == {"model", "messages"}


def test_a_server_without_a_key_gets_none(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_legal, monkeypatch) as server:
        monkeypatch.delenv("OPENAI_API_KEY")
        act(LlmAgent(LlmSettings("mars")), view)
    assert "Authorization" not in server.requests[0][1]


# --- bad replies ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["ACTION: 99999", "", "I resign.", None, "<think>ACTION: 1"])
def test_the_model_is_told_its_error(bad: str | None, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    def script(body: dict[str, Any]) -> str | None:
        return bad if len(body["messages"]) < 6 else first_legal(body)

    with serving(script, monkeypatch) as server:
        agent = LlmAgent(LlmSettings("mars"))
        assert act(agent, view) == view.legal[0]
    assert agent.take_usage() == Usage(calls=3, prompt_tokens=300, completion_tokens=21, illegal=2)
    assert agent.take_usage() == Usage()
    messages = server.requests[-1][2]["messages"]
    assert [message["role"] for message in messages] == ["system", *["user", "assistant"] * 2, "user"]
    assert messages[-1]["content"].startswith("Error: ")
    assert all(message["content"] for message in messages)


def test_strict_replies_are_the_number_alone(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_legal, monkeypatch), pytest.raises(Forfeit):
        act(LlmAgent(LlmSettings("mars", replies="strict", retries=0)), view)
    with serving(lambda body: str(legal_in(body)[0]), monkeypatch):
        assert act(LlmAgent(LlmSettings("mars", replies="strict", retries=0)), view) == view.legal[0]


def test_a_long_illegal_reply_is_not_repeated_whole(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda body: "x" * 150_000, monkeypatch) as server, pytest.raises(Forfeit):
        act(LlmAgent(LlmSettings("mars")), view)
    assert len(json.dumps(server.requests[-1][2])) < 50_000


def test_a_game_has_a_budget_of_calls(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(first_legal, monkeypatch) as server:
        agent = LlmAgent(LlmSettings("mars", calls=2))
        act(agent, view)
        act(agent, view)
        with pytest.raises(Forfeit):
            act(agent, view)
        assert len(server.requests) == 2
        session_with(players=2, hint=agent)  # another game
        assert act(agent, view) in view.legal


# --- bad servers ----------------------------------------------------------------------------------------


def drip(handler: Handler) -> None:
    """Send a response byte by byte, so slowly that it never completes in time."""
    handler.wfile.write(HEADERS)
    for _ in range(50):
        handler.wfile.write(b" ")
        time.sleep(0.05)


def flood(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 6_000_000)
    handler.close_connection = True


def hang_up(handler: Handler) -> None:
    handler.close_connection = True


def cut_short(handler: Handler) -> None:
    handler.wfile.write(HEADERS + b"{")
    handler.close_connection = True


SERVERS: dict[str, tuple[Any, str, int]] = {
    "late": (lambda handler: time.sleep(1.5), "0.3 s", 2),
    "dripping": (drip, "0.3 s", 2),
    "flooding": (flood, "4,194,304", 2),
    "hanging up": (hang_up, "RemoteProtocolError", 2),
    "cut short": (cut_short, "RemoteProtocolError", 2),
    "no HTTP": (lambda handler: handler.wfile.write(b"hello\r\n\r\n"), "RemoteProtocolError", 2),
    "no JSON": (lambda handler: handler.send_content(200, b"<html>"), "<html>", 2),
    "deep JSON": (lambda handler: handler.send_content(200, b"[" * 10**5), "[[[", 2),
    "no choices": (lambda handler: handler.send_json(200, {"choices": []}), "choices", 2),
    "numbers": (lambda handler: handler.send_json(200, completion(5)), "5", 2),  # type: ignore[arg-type]
    "error 500": (lambda handler: handler.send_json(500, {"error": {"message": "a\nb"}}), "500: a b", 2),
    "error 429": (lambda handler: handler.send_json(429, {}, Retry_After="0"), "429", 2),
    "error 401": (lambda handler: handler.send_json(401, {"error": "no key"}), "401: no key", 1),
    "redirect": (lambda handler: handler.send_json(307, {}, Location="http://127.0.0.1:1/"), "307", 1),
}
"""Bad responses, each with a part of its error message and the number of requests made with one retry."""


@pytest.mark.parametrize("name", SERVERS)
def test_a_bad_server_costs_the_game(name: str, view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    write, message, requests = SERVERS[name]
    start = time.monotonic()
    with serving(lambda body: write, monkeypatch) as server:
        timeout = 0.3 if "0.3 s" in message else 20.0
        with pytest.raises(Forfeit) as caught:
            act(LlmAgent(LlmSettings("mars", timeout=timeout, retries=1)), view)
        assert time.monotonic() - start < 15.0
        assert len(server.requests) == requests
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_no_server(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setattr(llm_agent, "FIRST_PAUSE", 0.0)
    with pytest.raises(Forfeit, match="ConnectError"):
        act(LlmAgent(LlmSettings("mars", retries=1)), view)


def test_a_failed_request_is_tried_again(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    writers = iter([hang_up, SERVERS["error 500"][0], SERVERS["no JSON"][0]])

    def script(body: dict[str, Any]) -> Any:
        return next(writers, None) or first_legal(body)

    with serving(script, monkeypatch):
        agent = LlmAgent(LlmSettings("mars", retries=3))
        assert act(agent, view) == view.legal[0]
    assert agent.take_usage() == Usage(calls=4, prompt_tokens=100, completion_tokens=7)


def test_parts_of_a_message_are_joined_and_wrong_counts_are_left_out(
    view: View, monkeypatch: pytest.MonkeyPatch
) -> None:
    def script(body: dict[str, Any]) -> Any:
        parts = [{"type": "reasoning", "x": 1}, {"type": "text", "text": first_legal(body)}]
        data = {**completion(parts), "usage": {"prompt_tokens": -5, "completion_tokens": "many"}}  # type: ignore[arg-type]
        return lambda handler: handler.send_json(200, data)

    with serving(script, monkeypatch):
        agent = LlmAgent(LlmSettings("mars"))
        assert act(agent, view) == view.legal[0]
    assert agent.take_usage() == Usage(calls=1)


# --- the key ------------------------------------------------------------------------------------------


def echo_in_error(text: str) -> Callable[[Handler], None]:
    return lambda handler: handler.send_json(401, {"error": {"message": text}})


def echo_in_reply(text: str) -> Callable[[Handler], None]:
    return lambda handler: handler.send_json(200, completion(f"{text}\nACTION: 99999"))


def echo_as_text(text: str) -> Callable[[Handler], None]:
    return lambda handler: handler.send_content(401, text.encode())


def echo_as_status(text: str) -> Callable[[Handler], None]:
    def write(handler: Handler) -> None:
        handler.wfile.write(text.encode() + b"\r\n\r\n")
        handler.close_connection = True

    return write


@pytest.mark.parametrize("echo", [echo_in_error, echo_in_reply, echo_as_text, echo_as_status])
@pytest.mark.parametrize("before", [0, 150, 182, 190])
def test_the_key_is_written_nowhere(
    echo: Callable[[str], Callable[[Handler], None]],
    before: int,
    view: View,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("POCKETMARS_LLM_TRANSCRIPTS", str(tmp_path))
    script = echo("." * before + KEY)
    with serving(lambda body: script, monkeypatch) as server:
        agent = LlmAgent(LlmSettings("mars", retries=1))
        with pytest.raises(Forfeit) as caught:
            act(agent, view)
    assert KEY in server.requests[0][1]["Authorization"]
    (transcript,) = tmp_path.iterdir()
    texts = [
        *(json.dumps(body) for _, _, body in server.requests),
        *traceback.format_exception(caught.value),
        *(repr(agent), repr(vars(agent)), pickle.dumps(agent).decode("latin-1")),
        *(*capfd.readouterr(), transcript.name, transcript.read_text()),
    ]
    assert not [text for text in texts if KEY[:8] in text]


@pytest.mark.parametrize("key", ["sk-bad\r\nX: y", "sk bad", "sk-é"])
def test_an_unusable_key_is_refused_without_showing_it(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(ValueError, match="OPENAI_API_KEY") as caught:
        LlmAgent(LlmSettings("mars"))
    assert "bad" not in str(caught.value)
    assert "é" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:8000",
        "ftp://a/v1",
        "http://",
        "http://me:pw@a/v1",
        "http://a/?k=pw",
        "http://a:x/",
        "http://a..b/v1",
        "http://[pw",
    ],
)
def test_an_unusable_address_is_refused_without_showing_it(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", url)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ValueError, match="OPENAI_BASE_URL") as caught:
        make_agent("llm:mars")
    assert "pw" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_without_httpx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(ValueError, match=r"\.\[llm\]"):
        make_agent("llm:mars")


# --- transcripts ----------------------------------------------------------------------------------------


def test_transcripts_have_every_decision(view: View, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POCKETMARS_LLM_TRANSCRIPTS", str(tmp_path / "new"))
    script: Script = lambda body: "I resign." if len(body["messages"]) < 4 else first_legal(body)  # noqa: E731
    with serving(script, monkeypatch):
        agent = LlmAgent(LlmSettings("org/mars:8b", calls=3))
        act(agent, view)
        with pytest.raises(Forfeit):
            act(agent, view)
    (path,) = (tmp_path / "new").iterdir()
    assert path.name.startswith("org_mars_8b-")
    first, second = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    assert (first["action"], first["error"], first["calls"], first["illegal"]) == (view.legal[0], None, 2, 1)
    assert [message["role"] for message in first["messages"]] == [
        "system", "user", "assistant", "user", "assistant",
    ]  # fmt: skip
    assert second["action"] is None
    assert second["error"]


def test_without_a_folder_nothing_is_written(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POCKETMARS_LLM_TRANSCRIPTS", raising=False)
    with serving(first_legal, monkeypatch):
        agent = LlmAgent(LlmSettings("mars"))
        act(agent, view)
    assert agent._transcript.path is None


# --- names ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("llm:gpt-5", "llm:gpt-5"),
        ("llm:qwen3:8b", "llm:qwen3:8b"),
        ("llm:meta-llama/Llama-4:retries=0:temperature=0", "llm:meta-llama/Llama-4:temperature=0:retries=0"),
        ("llm:a:timeout=120:retries=2:calls=1000:replies=lenient", "llm:a"),
        ("llm:a:timeout=0.5:max_tokens=9:replies=strict", "llm:a:max_tokens=9:timeout=0.5:replies=strict"),
    ],
)
def test_names(name: str, canonical: str) -> None:
    assert canonical_name(name) == canonical
    assert canonical_name(canonical) == canonical
    assert needs_trust(name)


@pytest.mark.parametrize(
    "name",
    [
        "llm", "llm:", "llm:a b", "llm:a\nb", "llm:é", "llm:" + "a" * 300, "llm:a:temperature=3",
        "llm:a:temperature=nan", "llm:a:retries=11", "llm:a:retries=1:retries=1", "llm:a:key=secret",
        "llm:a:calls=0", "llm:a:seed=5", "llm:a:replies=any", "llm:a:timeout=0", "llm:a:max_tokens=1.5",
        "llm:a:calls=-1",
    ],
)  # fmt: skip
def test_wrong_names_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - several messages
        canonical_name(name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500
