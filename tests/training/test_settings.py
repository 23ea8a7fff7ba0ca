"""The settings of the training scripts."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agents.onnx_policies import write_policy
from tests.training.field_docs import field_docs
from tests.training.tiny import tiny, tiny_expert, tiny_self_play_ppo

pytest.importorskip("sb3_contrib")
pytest.importorskip("onnx")
pytest.importorskip("tyro")

import tyro

from pocketmars_training.common.settings import MAX_IMITATION, MaskablePpoSettings
from pocketmars_training.da_seat import DaSeatSettings
from pocketmars_training.expert_iteration import ExpertSettings
from pocketmars_training.self_play import SelfPlaySettings
from pocketmars_training.self_play_ppo import SelfPlayPpoSettings
from pocketmars_training.solo import SoloSettings

Make = Callable[..., Any]
KINDS = (SoloSettings, SelfPlaySettings, DaSeatSettings, SelfPlayPpoSettings, ExpertSettings)


def make(script: str, start: Path, **changes: Any) -> Any:
    kinds = {"solo": SoloSettings, "self_play": SelfPlaySettings, "da_seat": DaSeatSettings}
    if script in kinds:
        return tiny(kinds[script], Path("run"), **changes)
    of_network = {"self_play_ppo": tiny_self_play_ppo, "expert_iteration": tiny_expert}
    return of_network[script](Path("run"), **({"start": start} | changes))


NETWORK_RUNS = ("self_play_ppo", "expert_iteration")
WRONG: list[tuple[str, str, Any, str]] = [
    *[("solo", name, 0, "at least 1") for name in ("total_timesteps", "n_envs", "n_steps", "n_epochs")],
    *[("solo", name, 0, "at least 1") for name in ("eval_freq", "n_eval_episodes", "save_freq")],
    ("solo", "threads", -1, "at least 1"),
    ("solo", "seed", -1, "in 0..2^32 - 1"),
    ("solo", "seed", 2**32, "in 0..2^32 - 1"),
    ("solo", "imitation_timesteps", -1, f"in 0..{MAX_IMITATION}"),
    ("solo", "imitation_timesteps", MAX_IMITATION + 1, f"in 0..{MAX_IMITATION}"),
    ("solo", "imitation_share", 1.01, "in 0..1"),
    ("solo", "teacher_moves", float("nan"), "in 0..1"),
    ("solo", "clip_range", -0.1, "in 0..1"),
    ("solo", "gamma", 1.01, "in 0..1"),
    ("solo", "gae_lambda", 1.5, "in 0..1"),
    ("solo", "ent_coef", -1e-9, "0 or more"),
    ("solo", "ent_coef", float("nan"), "0 or more"),
    ("solo", "vf_coef", -1.0, "0 or more"),
    ("solo", "max_grad_norm", 0.0, "above 0"),
    ("solo", "target_kl", 0.0, "above 0"),
    ("solo", "learning_rate", 0.0, "above 0"),
    ("solo", "learning_rate", float("inf"), "above 0"),
    ("solo", "net_arch", (), "one or more layers of the same width"),
    ("solo", "net_arch", (0,), "one or more layers of the same width"),
    ("solo", "net_arch", (16, 8), "one or more layers of the same width"),
    ("solo", "batch_size", 1, "in 2..48, which is n_envs × n_steps"),
    ("solo", "batch_size", 49, "in 2..48, which is n_envs × n_steps"),
    ("solo", "batch_size", 47, "such that not 1 of 48 decisions is left over"),
    ("self_play", "players", (), "some of 2, 3 and 4"),
    ("self_play", "players", (2, 5), "some of 2, 3 and 4"),
    ("self_play", "bots", (), "at least one agent"),
    ("self_play", "present_share", -0.5, "in 0..1"),
    ("self_play", "past_every", 0, "at least 1"),
    ("da_seat", "player", (), "at least one agent"),
    *[
        (script, name, value, accepted)
        for script in NETWORK_RUNS
        for name, value, accepted in (
            ("players", (5,), "1 alone, or some of 2, 3 and 4"),
            ("players", (1, 2), "1 alone, or some of 2, 3 and 4"),
            ("batch_size", 0, "at least 1"),
            ("n_envs", 2, "at least 3, one of each kind"),
            ("bot_share", 1.5, "in 0..1"),
            ("bots", (), "at least one agent"),
            ("handicaps", (3,), "0 alone"),
        )
    ],
    ("self_play_ppo", "train_freq", 63, "at least the batch_size"),
    ("self_play_ppo", "n_epochs", 0, "at least 1"),
    ("self_play_ppo", "barrier_coef", -0.1, "0 or more"),
    ("self_play_ppo", "net_arch", (12,), "at least 2 layers of 12 units, as the start"),
    ("self_play_ppo", "net_arch", (16, 16), "at least 2 layers of 12 units, as the start"),
    ("expert_iteration", "train_freq", 0, "at least 1"),
    ("expert_iteration", "searched", 0.0, "above 0"),
    ("expert_iteration", "searched_if_sure", 1.1, "in 0..1"),
    ("expert_iteration", "sure", 1.1, "in 0..1"),
    ("expert_iteration", "temperature", 0.0, "above 0"),
    ("expert_iteration", "sharpness", 0.0, "above 0"),
    ("expert_iteration", "replay_ratio", 0.0, "above 0"),
    ("expert_iteration", "ema_steps", 0, "at least 1"),
    ("expert_iteration", "buffer_size", 0, "in 1..4000000"),
    ("expert_iteration", "simulations", 0, "at least 1"),
    ("expert_iteration", "outcome", 1.5, "in 0..1"),
]


@pytest.mark.parametrize(("script", "name", "value", "accepted"), WRONG)
def test_wrong_values_are_named(start: Path, script: str, name: str, value: Any, accepted: str) -> None:
    with pytest.raises(
        ValueError, match=rf"^{name} must be {re.escape(accepted)}.*, got {re.escape(str(value))}$"
    ):
        make(script, start, **{name: value})


def test_every_number_has_a_wrong_value_above() -> None:
    fields = {field.name: field.type for kind in KINDS for field in dataclasses.fields(kind)}
    assert {name for name, kind in fields.items() if kind in (int, float)} <= {
        name for _, name, _, _ in WRONG
    }


@pytest.mark.parametrize(
    ("script", "name", "value"),
    [
        ("solo", "teacher", "nobody"),
        ("self_play", "bots", ("greedy", "nobody")),
        ("da_seat", "player", ("greedy", "nobody")),
        *[(script, "bots", ("nobody",)) for script in NETWORK_RUNS],
    ],
)
def test_unknown_bots_are_named(start: Path, script: str, name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="unknown agent 'nobody'; accepted: 'random', "):
        make(script, start, **{name: value})


@pytest.mark.parametrize("handicaps", [(), (0, 21)])
def test_handicaps_are_those_of_the_solo_game(start: Path, handicaps: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"handicaps must be one or more in 0\.\.20"):
        make("self_play_ppo", start, players=(1,), handicaps=handicaps)


@pytest.mark.parametrize("script", NETWORK_RUNS)
def test_the_start_is_a_policy_of_these_scripts(tmp_path: Path, script: str) -> None:
    with pytest.raises(ValueError, match=r"there is no policy file 'nowhere.onnx'"):
        make(script, Path("nowhere.onnx"))
    with pytest.raises(
        ValueError, match=r"start must be a policy of one of the training scripts, got .*linear"
    ):
        make(script, write_policy(tmp_path / "linear.onnx"))


@pytest.mark.parametrize("kind", KINDS)
def test_the_command_line_explains_every_setting(kind: type[Any], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tyro.cli(kind, args=["--help"])
    shown = re.sub(r"[│\s]+", " ", capsys.readouterr().out)
    assert set(field_docs(kind)) == {field.name for field in dataclasses.fields(kind)}
    for name, text in field_docs(kind).items():
        assert f"--{name.replace('_', '-')}" in shown
        assert text.replace("``", "") in shown.replace("``", ""), name


@pytest.mark.parametrize("kind", KINDS[:3])
def test_the_defaults_are_accepted(kind: type[MaskablePpoSettings]) -> None:
    assert kind(run=Path("run")).imitation_decisions == 1_000_000 // 256 * 256


def test_the_imitation_is_at_most_its_share() -> None:
    run, kind = Path("run"), MaskablePpoSettings
    settings = tiny(kind, run, total_timesteps=100, imitation_timesteps=200, imitation_share=0.5, n_envs=6)
    assert settings.imitation_decisions == 48  # a multiple of the games
    assert tiny(kind, run, total_timesteps=100, imitation_timesteps=0).imitation_decisions == 0


@pytest.mark.parametrize(("parts", "expected"), [(1, [17]), (3, [6, 6, 5]), (4, [5, 4, 4, 4])])
def test_games_are_split_evenly(parts: int, expected: list[int]) -> None:
    assert tiny(MaskablePpoSettings, Path("run"), n_envs=17).split_envs(parts) == expected
