"""The training scripts train policies for a third-party game."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("stable_baselines3")
pytest.importorskip("onnx")

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_training import expert_iteration, self_play, self_play_ppo
from pocketmars_training.common.network import thermometers_of
from pocketmars_training.common.run_folder import RunError, begin_folder
from pocketmars_training.common.training_spec import (
    TRAINING_SPECS,
    TrainingSpec,
    add_training,
    table_id,
    training_of,
)
from pocketmars_training.self_play import SelfPlaySettings
from tests.third_game.pairs import SPEC
from tests.training.tiny import newest, tiny_self_play_ppo, write_start

LEAST_SHARE = 0.6
"""The minimum win rate against `random` in two-player games."""
FEW = "--n-envs 6 --batch-size 24 --n-eval-episodes 4 --eval-freq 200 --save-freq 100 --threads 1"
SEARCH = "--simulations 6 --buffer-size 400"
QUICK = "--players 2 --total-timesteps 20000 --eval-freq 10000 --train-freq 2048 --learning-rate 1e-3"


def train(monkeypatch: pytest.MonkeyPatch, script: Any, folder: Path, options: str) -> None:
    """Run ``pocketmars train SCRIPT --game pairs`` with additional options."""
    command = ["pocketmars train", "--game", "pairs", "--run", str(folder), *options.split()]
    monkeypatch.setattr(sys, "argv", command)
    with pytest.raises(SystemExit) as exit:
        script.main()
    assert exit.value.code == 0


def test_a_game_without_a_training_spec_is_trained_against_random() -> None:
    assert SPEC.player_counts() == (2, 3, 4)
    assert table_id(SPEC) == "pairs/Table-v0"
    assert [matchup.name for matchup in training_of(SPEC).matchups((4, 2))] == ["random_2p", "random_4p"]
    assert len(thermometers_of(SPEC.layout).columns) == 0


def test_one_call_registers_its_training_spec() -> None:
    add_training(
        TrainingSpec(game=SPEC, matchups=lambda players: [], baselines=(), defaults={"players": (3,)})
    )
    try:
        assert SelfPlaySettings.for_game("pairs")(run=Path("run")).players == (3,)
    finally:
        del TRAINING_SPECS["pairs"]


def test_settings_have_the_defaults_of_the_game() -> None:
    settings = SelfPlaySettings.for_game("pairs")(run=Path("run"))
    assert (settings.spec, settings.players, settings.bots) == (SPEC, (2, 3, 4), ("random",))
    assert settings.imitation_timesteps == 0
    with pytest.raises(ValueError, match=r"game must be one of 'pocket_mars', .*'pairs', got 'chess'"):
        SelfPlaySettings.for_game("chess")
    with pytest.raises(ValueError, match=r"players must be one or more of 2, 3 and 4, got \(5,\)"):
        SelfPlaySettings(run=Path("run"), game="pairs", players=(5,))


def test_the_command_shows_the_defaults_of_the_game(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    train(monkeypatch, self_play, tmp_path, "--help")
    shown = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert re.search(r"--bots [^-]*\[default: random\]", shown)


def test_a_run_is_saved_and_resumed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = f"{FEW} --train-freq 48 --net-arch 16 16 --past-every 150 --imitation-timesteps 60"
    train(monkeypatch, self_play, tmp_path, f"{few} --total-timesteps 400")
    assert newest(tmp_path)["num_timesteps"] >= 400
    assert json.loads((tmp_path / "settings.json").read_text())["game"] == "pairs"
    monkeypatch.setattr(sys, "argv", ["train", "--resume", str(tmp_path), "--total-timesteps", "600"])
    with pytest.raises(SystemExit):
        self_play.main()
    assert newest(tmp_path)["num_timesteps"] >= 600
    policy = PolicyAgent(tmp_path / "multi.onnx")
    assert policy.spec is SPEC
    assert set(policy.card["evaluation"]) == {"random_2p", "random_3p", "random_4p"}


@pytest.mark.slow
@pytest.mark.parametrize(("script", "options"), [(self_play_ppo, ""), (expert_iteration, SEARCH)])
def test_a_policy_learns_further(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: Any, options: str
) -> None:
    start = write_start(tmp_path / "start.onnx", SPEC)
    few = f"{FEW} --start {start} --train-freq 200 --total-timesteps 400"
    train(monkeypatch, script, tmp_path / "run", f"{few} {options}")
    assert newest(tmp_path / "run")["num_timesteps"] >= 400
    assert PolicyAgent(tmp_path / "run" / "multi.onnx").spec is SPEC


def test_a_start_is_a_policy_for_the_same_game(tmp_path: Path) -> None:
    start = write_start(tmp_path / "start.onnx", SPEC)
    with pytest.raises(
        ValueError, match="game must be that of the initial policy, 'pairs', got 'pocket_mars'"
    ):
        tiny_self_play_ppo(tmp_path, start)


def test_a_run_of_one_game_is_not_resumed_with_another(tmp_path: Path) -> None:
    begin_folder(SelfPlaySettings.for_game("pairs")(run=tmp_path)).close()
    with pytest.raises(RunError, match="game 'pairs', now 'pocket_mars'"):
        begin_folder(SelfPlaySettings(run=tmp_path, resume=True))


@pytest.mark.slow
def test_a_policy_learns_to_beat_random(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This test takes 10 s on two idle cores, or a minute on busy ones."""
    train(monkeypatch, self_play, tmp_path, QUICK)
    result = PolicyAgent(tmp_path / "multi.onnx").card["evaluation"]["random_2p"]
    assert result["games"] == 1_000
    assert result["win_share"] >= LEAST_SHARE
