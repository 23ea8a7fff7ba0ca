"""OpenEnv's client plays games through the OpenEnv server."""

import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("openenv", exc_type=ImportError)

from pocketmars_env.adapters.openenv import TextGameAction, TextGameClient
from pocketmars_env.text_interface import TextEnv
from tests.test_documents import ROOT, code_blocks

ENV_ID = "projectmars/Duel-v0"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Start a server in another process and return its address."""
    port = free_port()
    command = ("-m", "pocketmars_env.adapters.openenv", "--env-id", ENV_ID, "--port", str(port))
    process = subprocess.Popen(
        [sys.executable, *command, "--opponents", "greedy:1", "--retries", "1", "--max-sessions", "3"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(address, process)
        yield address
    finally:
        process.terminate()
        process.wait(10)


def wait_for(address: str, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 300  # the server may have to compile the rules first
    while time.monotonic() < end:
        assert process.poll() is None
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5) as response:
                assert response.status == 200
                return
        except (urllib.error.URLError, ConnectionError):
            time.sleep(0.2)
    pytest.fail("the server does not start")


def last_legal(text: str) -> TextGameAction:
    _, _, listed = text.rpartition("Your legal actions:\n")
    return TextGameAction(reply=f"ACTION: {re.findall(r'^([0-9]+): ', listed, re.MULTILINE)[-1]}")


def play(client: Any, seed: int) -> list[tuple[str, float, bool]]:
    """Play a game; return each observation text with its reward and whether the game is over."""
    result = client.reset(seed=seed)
    found = [(result.observation.text, result.reward, result.done)]
    while not result.done:
        result = client.step(last_legal(result.observation.text))
        assert not result.observation.is_illegal
        found.append((result.observation.text, result.reward, result.done))
    return found


def test_its_client_plays_a_whole_game(url: str) -> None:
    with TextGameClient(base_url=url).sync() as client:
        game = play(client, seed=3)
        state = client.state()
        assert play(client, seed=3) == game
    assert (state.step_count, state.over) == (len(game) - 1, True)
    assert "Game over: " in game[-1][0]
    assert game[-1][1] in (-1.0, 0.0, 1.0)
    # the same game without a server
    env = TextEnv(ENV_ID, opponents="greedy:1")
    assert env.reset(seed=3) == game[0][0]
    assert env.step(last_legal(game[0][0]).reply).text == game[1][0]


def test_sessions_play_games_of_their_own(url: str) -> None:
    with TextGameClient(base_url=url).sync() as first, TextGameClient(base_url=url).sync() as second:
        here, there = first.reset(seed=1), second.reset(seed=2)
        assert here.observation.text != there.observation.text
        first.step(last_legal(here.observation.text))
        assert (first.state().step_count, second.state().step_count) == (1, 0)
        assert "mulligan" in here.observation.system_prompt.lower()


def test_the_example_of_the_page(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = ROOT / "docs" / "language_models.md"
    (example,) = [block for block in code_blocks(page, "python") if "openenv" in block]
    names: dict[str, Any] = {}
    exec(compile(example, "example", "exec"), names)
    names["play_one_game"](url)
    assert float(capsys.readouterr().out) in (-1.0, 0.0, 1.0)


def test_illegal_replies(url: str) -> None:
    with TextGameClient(base_url=url).sync() as client:
        client.reset(seed=1)
        wrong = client.step(TextGameAction(reply="I resign"))
        assert (wrong.observation.is_illegal, wrong.reward, wrong.done) == (True, 0.0, False)
        lost = client.step(TextGameAction(reply="ACTION: 99999"))
        assert (lost.observation.is_illegal, lost.reward, lost.done) == (True, -1.0, True)


@pytest.mark.parametrize("arguments", [{"opponents": "os:system"}, {"seed": -1}, {"seed": "x"}])
def test_a_client_cannot_change_settings(url: str, arguments: dict[str, Any]) -> None:
    with TextGameClient(base_url=url).sync() as client, pytest.raises(Exception, match=r"opponents|[Ss]eed"):
        client.reset(**arguments)


@pytest.mark.parametrize(
    "arguments", [("--env-id", "pocketmars/Nothing-v1"), ("--opponents", "nobody"), ("--retries", "-1")]
)
def test_wrong_settings_are_refused_in_one_line(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "pocketmars_env.adapters.openenv", "--env-id", ENV_ID, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 1
    assert done.stderr.startswith("openenv: ")
    assert done.stderr.count("\n") == 1


def test_the_container_starts_the_server() -> None:
    folder = ROOT / "pocketmars_env" / "adapters" / "openenv"
    lines = (folder / "Dockerfile").read_text(encoding="utf-8")
    assert '"-m", "pocketmars_env.adapters.openenv", "--host", "0.0.0.0"' in lines
    assert (folder / "__main__.py").exists()
