"""The training scripts as a user starts them: processes of their own."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import Game
from tests.training.tiny import options, write_start

pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")
pytest.importorskip("tyro")

from pocketmars_training.common import checkpoints

ROOT = Path(__file__).parents[2]
LONG = 100_000
"""Decisions of a run that does not end by itself in time."""


def start(script: str, folder: Path, **changes: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", f"pocketmars_training.{script}", *options(script, folder, **changes)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # where the tests run in the background, Ctrl-C may be ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def finish(script: str, folder: Path, **changes: Any) -> str:
    """The output of a script that ends well."""
    with start(script, folder, **changes) as process:
        output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    return output


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 240
    while not happened():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def newest(folder: Path) -> int:
    """Decisions of the newest checkpoint; 0 if there is none."""
    paths = checkpoints.kept(folder)
    return int(paths[-1].stem.removeprefix("checkpoint-")) if paths else 0


def play(policy: Path, seat: int | None = None, **mode: Any) -> None:
    """A game in which the policy answers for a seat, or for all, with the first action elsewhere."""
    agent, game, rng = PolicyAgent(policy), Game(**mode, seed=1), np.random.default_rng(1)
    while not game.over:
        mine = seat in (None, game.to_play)
        game.step(agent.act(game.view(), rng) if mine else game.legal()[0])


def test_solo_is_killed_and_resumed(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"save_freq": 48, "eval_freq": LONG, "level": "standard"}
    with start("solo", tmp_path, total_timesteps=LONG, **changes) as process:
        wait_for(lambda: newest(tmp_path) > 198 + 48, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    kept = newest(tmp_path)
    decisions = kept + 100
    output = finish("solo", tmp_path, resume=True, total_timesteps=decisions, **changes)
    made = kept + 3 * 48  # as of a run that was never killed: whole updates from the imitation on
    assert newest(tmp_path) == made == 198 + -(-(decisions - 198) // 48) * 48
    assert f"{made:,} decisions with seed 1; in this process 144 in " in output
    for agent in ("solo", "greedy", "planner"):
        assert re.search(rf"\n +{agent} +\d+\.\d % \[\d+\.\d, \d+\.\d\]", output), output
    play(tmp_path / "solo.onnx", mode="solo", level="cyborg")


@pytest.mark.slow
def test_self_play_is_interrupted_and_resumed(tmp_path: Path) -> None:
    changes: dict[str, Any] = {
        "past_every": 100,
        "eval_freq": LONG,
        "bots": ("greedy:1", "random"),
        "players": (2, 4),
    }
    changes["n_eval_episodes"] = 2
    with start("self_play", tmp_path, total_timesteps=LONG, **changes) as process:
        wait_for(lambda: newest(tmp_path) > 198, process)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    assert errors.startswith("pocketmars train self-play: interrupted; ")
    assert errors.count("\n") == 1
    kept = newest(tmp_path)
    output = finish("self_play", tmp_path, resume=True, total_timesteps=kept + 40, **changes)
    assert newest(tmp_path) == kept + 48
    for agent in ("table", "greedy", "planner"):
        assert re.search(rf"\n +{agent}( +\d+\.\d % \[\d+\.\d, \d+\.\d\]){{3}}", output), output
    assert re.search(r"agent +greedy_2p +greedy_4p +planner_2p", output)
    for players in (2, 3, 4):
        play(tmp_path / "table.onnx", players=players)


def test_da_seat_in_a_relative_folder(tmp_path: Path) -> None:
    relative = Path(os.path.relpath(tmp_path / "runs" / "da", ROOT))
    output = finish("da_seat", relative, player=("greedy:1", "random"))
    assert re.search(
        r"agent +greedy:1_standard +greedy:1_super_droid +greedy:1_cyborg +random_standard", output
    )
    for agent in ("da_seat", "random", "automaton", "planner"):
        assert re.search(rf"\n +{agent}( +\d+\.\d % \[\d+\.\d, \d+\.\d\]){{3}}", output), output
    assert f"policy: {relative / 'da_seat.onnx'}" in output
    play(tmp_path / "runs" / "da" / "da_seat.onnx", seat=1, mode="solo", da_agent=True)


@pytest.mark.parametrize("script", ["expert_iteration", "self_play_ppo"])
def test_a_training_that_began_with_a_policy_is_killed_and_resumed(script: str, tmp_path: Path) -> None:
    begin, folder = write_start(tmp_path / "begin.onnx"), tmp_path / "run"
    changes: dict[str, Any] = {"start": begin, "eval_freq": LONG, "players": (2, 4), "n_envs": 4}
    with start(script, folder, total_timesteps=10 * LONG, **changes) as process:
        wait_for(lambda: newest(folder) > 60, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    kept = newest(folder)
    output = finish(script, folder, resume=True, total_timesteps=kept + 100, **changes)
    made = newest(folder)
    assert kept + 100 <= made < kept + 500
    assert f"{made:,} decisions with seed 1; in this process {made - kept:,} in " in output
    for agent in ("table", "greedy", "planner"):
        assert re.search(rf"\n +{agent}( +\d+\.\d % \[\d+\.\d, \d+\.\d\]){{3}}", output), output
    for players in (2, 3, 4):
        play(folder / "table.onnx", players=players)
