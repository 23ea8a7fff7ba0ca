"""Verifiers evaluates a model on the games."""

import asyncio
import contextlib
import itertools
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import numpy as np
import pytest

pytest.importorskip("verifiers", exc_type=ImportError)

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import environment_class, load_taskset, taskset_class

from pocketmars_env import View
from pocketmars_env.adapters.verifiers import GameConfig, GameEnv, GameEnvConfig, GameTaskset
from pocketmars_env.text_interface import TextEnv
from tests.agents.llm.scripted import KEY, first_legal, legal_in, serving

ID = "pocketmars-verifiers"
SETTINGS = {"round_limit": 1, "level": "cyborg"}


def test_its_loaders_find_the_games() -> None:
    assert taskset_class(ID) is GameTaskset
    assert environment_class(ID) is GameEnv


def test_a_task_is_a_seed() -> None:
    taskset = load_taskset(GameConfig(id=ID, env_id="projectmars/Duel-v0", settings={"opponents": "random"}))
    tasks = list(itertools.islice(taskset, 3))
    assert [task.data.seed for task in tasks] == [0, 1, 2]
    env = TextEnv("projectmars/Duel-v0", opponents="random")
    assert [first_prompt(task) for task in tasks] == [env.reset(seed) for seed in range(3)]
    assert tasks[0].data.system_prompt == env.system_prompt
    assert isinstance(tasks[0], vf.Task)


class Player:
    """Replaces the agents and interactions of verifiers: records the first prompt, and does not reply."""

    def __init__(self) -> None:
        self.player, self.trace, self.prompt = self, MagicMock(), ""

    @contextlib.asynccontextmanager
    async def interaction(self, task: vf.Task) -> AsyncIterator["Player"]:
        self.prompt = task.data.prompt
        yield self

    async def turn(self) -> vf.Segment:
        return vf.Segment(messages=[], terminated=True)


def first_prompt(task: vf.Task) -> str:
    player = Player()
    env = GameEnv(GameEnvConfig(taskset=GameConfig(id=ID)))
    asyncio.run(env.run(task, player))
    return player.prompt


class Moody:
    """An agent that ignores the seed: each of its moves differs from the previous one."""

    name = "moody"
    moves = 0

    def act(self, view: View, rng: np.random.Generator) -> int:
        self.moves += 1
        return view.legal[self.moves % len(view.legal)]


def test_the_game_that_is_shown_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    started = list[str]()
    reset = TextEnv.reset

    def recorded(self: TextEnv, seed: int | None = None) -> str:
        started.append(reset(self, seed))
        return started[-1]

    monkeypatch.setattr(TextEnv, "reset", recorded)
    settings = {"opponents": Moody()}
    taskset = load_taskset(GameConfig(id=ID, env_id="projectmars/Duel-v0", settings=settings))
    shown = [first_prompt(task) for task in itertools.islice(taskset, 4)]
    assert shown == started


@pytest.mark.parametrize(
    ("settings", "message"), [({"env_id": "pocketmars/Nothing-v1"}, "Nothing"), ({"retries": -1}, "retries")]
)
def test_wrong_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message):
        next(iter(load_taskset(GameConfig(id=ID, **settings))))


def test_its_command_evaluates_a_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model plays a whole game; its first reply is illegal."""

    def script(body: dict[str, Any]) -> str:
        is_first = sum(message["role"] == "user" for message in body["messages"]) == 1
        return "I resign." if is_first else first_legal(body)

    with serving(script, monkeypatch) as server:
        port = server.server_address[1]
        command = [str(Path(sys.executable).with_name("vf-eval")), ID, "-m", "mars", "--select.limit", "1"]
        command += ["--client.base-url", f"http://127.0.0.1:{port}/v1", "--push", "False"]
        command += ["--client.api-key-var", "OPENAI_API_KEY", "-o", str(tmp_path)]
        command += ["--env.taskset.settings", json.dumps(SETTINGS)]
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # the command runs uv
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    (found,) = tmp_path.rglob("traces.jsonl")
    (episode,) = map(json.loads, found.read_text(encoding="utf-8").splitlines())
    assert episode["ok"], episode
    (trace,) = episode["traces"]
    assert trace["rewards"]["game"]["score"] in (-1.0, 1.0)
    assert trace["info"]["game"]["over"]
    assert trace["metrics"] == {"replies": float(len(server.requests)), "illegal_replies": 1.0}
    assert legal_in(server.requests[0][2])
    assert KEY not in found.read_text(encoding="utf-8")
