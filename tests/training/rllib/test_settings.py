"""The settings of the training on a Ray cluster, and its page.

``python -m tests.training.rllib.test_settings`` writes the page's table anew.
"""

import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

from pocketmars_training.common.run_folder import SETTINGS_FILE, RunError, begin_folder
from pocketmars_training.rllib.settings import ScaleOutSettings
from tests.training.field_docs import field_docs
from tests.training.settings_tables import BLOCK, settings_table, with_tables

tyro = pytest.importorskip("tyro")

PAGE = Path(__file__).parents[3] / "training" / "SCALING.md"

WRONG: list[tuple[str, Any, str]] = [
    *[
        (name, 0, "at least 1")
        for name in ("total_timesteps", "envs_per_runner", "past_every", "past_kept", "n_steps", "n_epochs")
    ],
    *[(name, 0, "at least 1") for name in ("eval_freq", "n_eval_episodes", "save_freq", "threads")],
    ("env_runners", -1, "0 or more"),
    ("seconds_to_connect", 0.0, "above 0"),
    ("learning_rate", float("nan"), "above 0"),
    ("max_grad_norm", 0.0, "above 0"),
    ("seed", -1, "in 0..2^32 - 1"),
    ("seed", 2**32, "in 0..2^32 - 1"),
    ("present_share", 1.01, "in 0..1"),
    ("clip_range", -0.1, "in 0..1"),
    ("gamma", 1.1, "in 0..1"),
    ("gae_lambda", float("nan"), "in 0..1"),
    ("ent_coef", -1e-9, "0 or more"),
    ("vf_coef", -1.0, "0 or more"),
    ("net_arch", (16, 8), "one or more layers of the same width"),
    ("batch_size", 1, "in 2..2048, which is runners × games × n_steps"),
    ("batch_size", 2049, "in 2..2048, which is runners × games × n_steps"),
    ("players", (), "some of 2, 3 and 4"),
    ("players", (5,), "some of 2, 3 and 4"),
    ("bots", (), "at least one agent"),
    ("bots", ("greedy", "greedy"), "each once"),
]


def settings(**changes: Any) -> ScaleOutSettings:
    return ScaleOutSettings(run=Path("run"), **changes)


@pytest.mark.parametrize(("name", "value", "accepted"), WRONG)
def test_wrong_values_are_named(name: str, value: Any, accepted: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{name} must be {accepted}, got {value}")):
        settings(**{name: value})


def test_every_number_has_a_wrong_value_above() -> None:
    numbers = {field.name for field in dataclasses.fields(ScaleOutSettings) if field.type in (int, float)}
    assert numbers
    assert numbers <= {name for name, _, _ in WRONG}


def test_an_unknown_bot_is_named_at_once() -> None:
    with pytest.raises(ValueError, match="unknown agent 'nobody'; accepted: 'random', "):
        settings(bots=("greedy", "nobody"))


@pytest.mark.parametrize(("env_runners", "answers"), [(0, 1024), (1, 1024), (3, 3072)])
def test_an_update_gets_all_answers_of_all_runners(env_runners: int, answers: int) -> None:
    assert settings(env_runners=env_runners).answers == answers


def test_the_command_line_explains_every_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        tyro.cli(ScaleOutSettings, args=["--help"])
    shown = re.sub(r"[│\s]+", " ", capsys.readouterr().out)
    docs = field_docs(ScaleOutSettings)
    assert set(docs) == {field.name for field in dataclasses.fields(ScaleOutSettings)}
    for name, text in docs.items():
        assert f"--{name.replace('_', '-')}" in shown
        assert text.replace("``", "") in shown.replace("``", ""), name


def test_a_run_goes_on_on_another_cluster_and_with_no_other_network(tmp_path: Path) -> None:
    run = tmp_path / "run"
    begin_folder(ScaleOutSettings(run=run)).close()
    assert (run / SETTINGS_FILE).exists()
    other: dict[str, Any] = {"address": "host:6379", "env_runners": 64, "envs_per_runner": 8}
    begin_folder(ScaleOutSettings(run=run, resume=True, **other)).close()
    with pytest.raises(RunError, match="a run with other settings: net_arch"):
        begin_folder(ScaleOutSettings(run=run, resume=True, net_arch=(512, 512)))


# --- the page -------------------------------------------------------------------------------------


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def table(name: str) -> str:
    assert name == "ScaleOutSettings"
    return settings_table(ScaleOutSettings)


def test_the_table_of_settings_is_that_of_the_code() -> None:
    assert [name for name, _ in BLOCK.findall(page())] == ["ScaleOutSettings"]
    assert page() == with_tables(page(), table), "run python -m tests.training.rllib.test_settings"


def test_what_may_change_is_listed() -> None:
    text = page().partition("\n## Resuming\n")[2].partition(" may then be")[0]
    options = {f"--{name.replace('_', '-')}" for name in settings().may_change}
    assert set(re.findall(r"`(--[\w-]+)`", text)) == options


def test_every_command_of_the_page_has_options_that_exist() -> None:
    commands = re.findall(r"train rllib-self-play((?:[^\n`]*\\\n)*[^\n`]*)", page())
    assert len(commands) >= 3
    known = {f"--{field.name.replace('_', '-')}" for field in dataclasses.fields(ScaleOutSettings)}
    for command in commands:
        assert set(re.findall(r"(?<!\S)--[\w-]+", command)) <= known, command


def test_every_module_has_its_job_on_the_page() -> None:
    listed = set(re.findall(r"`(?:rllib/)?(\w+\.py)`", page().rpartition("| file |")[2]))
    modules = {path.name for path in (PAGE.parent / "pocketmars_training" / "rllib").glob("*.py")} - {
        "__init__.py"
    }
    assert listed == modules | {"rllib_self_play.py"}


if __name__ == "__main__":
    PAGE.write_text(with_tables(page(), table), encoding="utf-8")
