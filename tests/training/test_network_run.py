"""Training runs of self-play PPO and expert iteration."""

import contextlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network
from pocketmars_training.common.network_run import NetworkRun
from pocketmars_training.expert_iteration import ExpertRun
from pocketmars_training.ppo import PpoRun
from tests.agents.mlps import random_mlp
from tests.training.tiny import newest, tiny_expert, tiny_self_play_ppo, with_one_matchup

RUNS: list[tuple[Any, Callable[..., Any]]] = [
    (PpoRun, tiny_self_play_ppo),
    (ExpertRun, tiny_expert),
]


@pytest.mark.parametrize(("kind", "settings"), RUNS)
def test_a_run_goes_from_its_start_to_a_policy(
    tmp_path: Path, start: Path, capsys: pytest.CaptureFixture[str], kind: Any, settings: Callable[..., Any]
) -> None:
    tiny = settings(tmp_path, start)
    with with_one_matchup(kind(tiny)) as run:
        run.train()
        assert tiny.total_timesteps <= run.num_timesteps < tiny.total_timesteps + 1_000
    assert re.search(r"^[\d,]+ decisions: greedy_2p \d+\.\d%\n", capsys.readouterr().out)
    agent = PolicyAgent(tmp_path / "multi.onnx")
    assert agent.card["start"] == {"name": "begin", "decisions": 7}
    assert agent.card["settings"]["start"] == "begin.onnx"
    assert agent.card["decisions"] == newest(tmp_path)["num_timesteps"] == run.num_timesteps
    before, after = PolicyAgent(start).mlp, agent.mlp
    assert before is not None
    assert after is not None
    assert not np.array_equal(before.first, after.first)
    assert after.opponent_win_split.any()


@pytest.mark.parametrize(("kind", "settings"), RUNS)
def test_a_gradient_that_is_not_finite_changes_no_weights(
    tmp_path: Path, start: Path, kind: Any, settings: Callable[..., Any]
) -> None:
    with with_one_matchup(kind(settings(tmp_path, start))) as run:
        before = [weight.clone() for weight in run.learner.parameters()]
        with pytest.raises(ValueError, match="the gradient is not finite"):
            run.optimizer_step(sum(weight.sum() for weight in run.learner.parameters()) * float("inf"))
        assert all(map(torch.equal, before, run.learner.parameters()))


@pytest.mark.parametrize(("kind", "settings"), RUNS)
def test_the_solo_game_is_trained(
    tmp_path: Path, start: Path, kind: Any, settings: Callable[..., Any]
) -> None:
    with contextlib.closing(kind(settings(tmp_path, start, players=(1,), total_timesteps=200))) as run:
        run.baselines = []
        run.train()
    agent = PolicyAgent(tmp_path / "solo.onnx")
    assert set(agent.card["evaluation"]) == set(LEVELS)
    assert agent.card["settings"]["players"] == [1]
    assert not (tmp_path / "multi.onnx").exists()


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "settings", "threads"), [(*RUNS[0], 1), (*RUNS[0], 2), (*RUNS[1], 1)])
def test_the_same_seed_gives_the_same_policy(
    tmp_path: Path, start: Path, kind: Any, settings: Callable[..., Any], threads: int
) -> None:
    found = []
    for folder, seed in (("one", 1), ("again", 1), ("other", 2)):
        tiny = settings(tmp_path / folder, start, seed=seed, threads=threads, total_timesteps=120)
        with with_one_matchup(kind(tiny)) as run:
            run.train()
        found.append(torch.cat([each.reshape(-1) for each in newest(tmp_path / folder)["policy"].values()]))
    assert torch.equal(found[0], found[1])
    assert not torch.equal(found[0], found[2])


@pytest.mark.parametrize(("kind", "settings"), RUNS)
def test_an_interrupted_run_is_resumed(
    tmp_path: Path, start: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, settings: Callable[..., Any]
) -> None:
    update, total = kind.update, settings(tmp_path, start).total_timesteps

    def interrupted(self: NetworkRun) -> int:
        if self.num_timesteps > total / 4:
            raise KeyboardInterrupt
        made: int = update(self)
        return made

    with monkeypatch.context() as patch, with_one_matchup(kind(settings(tmp_path, start))) as run:
        patch.setattr(kind, "update", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.train()
    kept = newest(tmp_path)
    assert total / 4 < kept["num_timesteps"] < total
    other = tmp_path / "other" / start.name
    other.parent.mkdir()
    export(Network.of_mlp(random_mlp(2, 12)), other, {"name": "another"})
    with with_one_matchup(kind(settings(tmp_path, other, resume=True))) as run:
        assert run.num_timesteps == kept["num_timesteps"]
        for name, weight in run.learner.state_dict().items():
            assert torch.equal(weight, kept["policy"][name])
        run.train()
    assert newest(tmp_path)["num_timesteps"] >= total
    assert PolicyAgent(tmp_path / "multi.onnx").card["start"] == {"name": "begin", "decisions": 7}
