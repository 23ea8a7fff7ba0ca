"""The command ``pocketmars train``."""

import importlib
import sys

import pytest
from typer.testing import CliRunner

from pocketmars_training import command_line
from pocketmars_training.command_line import SCRIPTS, app


def test_the_scripts_are_listed_beside_the_commands_of_the_bots() -> None:
    assert {"bench", "play", "train"} <= set(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert set(SCRIPTS) <= set(CliRunner().invoke(app, ["train", "--help"]).stdout.split())


def test_a_script_gets_the_options_behind_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def main() -> None:
            print(sys.argv)

    monkeypatch.setattr(command_line, "is_installed", lambda module: True)
    monkeypatch.setattr(importlib, "import_module", {"pocketmars_training.solo": Module}.get)
    result = CliRunner().invoke(app, ["train", "solo", "--run", "runs/x", "--seed", "3"])
    assert result.stdout.strip() == "['pocketmars train solo', '--run', 'runs/x', '--seed', '3']"


def test_a_script_without_its_libraries_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "is_installed", lambda module: False)
    result = CliRunner().invoke(app, ["train", "rllib-self-play"])
    assert result.exit_code == 1
    assert "pocketmars train rllib-self-play needs the extra rllib: pip install" in result.output


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_exists(name: str) -> None:
    pytest.importorskip(SCRIPTS[name].needs)
    module = importlib.import_module(SCRIPTS[name].module)
    assert callable(module.main)
