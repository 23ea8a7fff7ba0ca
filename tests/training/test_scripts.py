"""The training scripts, each in a separate process, as a user starts them."""

import os
import re
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env import Game
from tests.training.processes import LONG, ROOT, finish, newest, start, stop_when
from tests.training.tiny import write_start


def play(policy: Path, seat: int | None = None, **mode: Any) -> None:
    """Play a game in which the policy plays one seat, or all; other seats play the first legal action."""
    agent, game, rng = PolicyAgent(policy), Game(**mode, seed=1), np.random.default_rng(1)
    while not game.over:
        mine = seat in (None, game.to_play)
        game.step(agent.act(game.view(), rng) if mine else game.legal[0])


def assert_shown(output: str, *agents: str) -> None:
    """Assert that each agent has a row with its win rate and interval in all three matchups."""
    for agent in agents:
        assert re.search(rf"\n +{agent}( +\d+\.\d % \[\d+\.\d, \d+\.\d\]){{3}}", output), output


@pytest.mark.slow
def test_self_play_is_interrupted_and_resumed(tmp_path: Path) -> None:
    changes: dict[str, Any] = {"past_every": 100, "eval_freq": LONG, "n_eval_episodes": 2}
    changes |= {"bots": ("greedy:1", "random"), "players": (2, 4)}
    with start("self_play", tmp_path, total_timesteps=LONG, **changes) as process:
        errors = stop_when(lambda: newest(tmp_path) > 200, process, signal.SIGINT)
    assert process.returncode == 1
    assert errors.splitlines()[-1].startswith("pocketmars train self-play: interrupted; ")
    assert "Traceback" not in errors
    kept = newest(tmp_path)
    output = finish("self_play", tmp_path, resume=True, total_timesteps=kept + 40, **changes)
    assert newest(tmp_path) >= kept + 40
    assert_shown(output, "multi", "greedy", "planner")
    assert re.search(r"agent +greedy_2p +greedy_4p +planner_2p", output)
    for players in (2, 3, 4):
        play(tmp_path / "multi.onnx", players=players)


@pytest.mark.slow
def test_da_seat_in_a_relative_folder(tmp_path: Path) -> None:
    relative = Path(os.path.relpath(tmp_path / "runs" / "da", ROOT))
    output = finish("da_seat", relative, eval_player=("greedy:1",))
    assert re.search(r"agent +greedy:1_standard +greedy:1_super_droid +greedy:1_cyborg", output)
    assert_shown(output, "da_seat", "random", "automaton", "planner")
    assert f"policy: {relative / 'da_seat.onnx'}" in output
    play(tmp_path / "runs" / "da" / "da_seat.onnx", seat=1, mode="solo", da_agent=True)


@pytest.mark.slow
@pytest.mark.parametrize("script", ["self_play_ppo", "expert_iteration"])
def test_a_killed_run_is_resumed(script: str, tmp_path: Path) -> None:
    folder, begin = tmp_path / "run", write_start(tmp_path / "begin.onnx")
    changes: dict[str, Any] = {"eval_freq": LONG, "start": begin, "players": (2, 4), "n_envs": 4}
    with start(script, folder, total_timesteps=LONG, **changes) as process:
        stop_when(lambda: newest(folder) > 250, process, signal.SIGKILL)
    kept = newest(folder)
    output = finish(script, folder, resume=True, total_timesteps=kept + 100, **changes)
    made = newest(folder)
    assert kept + 100 <= made < kept + 500
    assert f"{made:,} decisions with seed 1; in this process {made - kept:,} in " in output
    assert_shown(output, "multi", "greedy", "planner")
    for players in (2, 3, 4):
        play(folder / "multi.onnx", players=players)
