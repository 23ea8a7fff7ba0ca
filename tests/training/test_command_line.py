"""The command ``pocketmars train``."""

import importlib
import sys

import pytest
from typer.testing import CliRunner

from pocketmars_training import command_line
from pocketmars_training.command_line import SCRIPTS, full_app, module_of

app = full_app()


def test_the_scripts_are_listed_beside_the_commands_of_the_bots() -> None:
    assert {"bench", "play", "train"} <= set(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert set(SCRIPTS) <= set(CliRunner().invoke(app, ["train", "--help"]).stdout.split())


def test_a_script_gets_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def main() -> None:
            print(sys.argv)

    monkeypatch.setattr(command_line, "is_installed", lambda module: True)
    monkeypatch.setattr(importlib, "import_module", {"pocketmars_training.solo": Module}.get)
    result = CliRunner().invoke(app, ["train", "solo", "--run", "runs/x", "--seed", "3"])
    assert result.stdout.strip() == "['pocketmars train solo', '--run', 'runs/x', '--seed', '3']"
    result = CliRunner().invoke(app, ["--game", "project_mars", "train", "solo", "--run", "runs/x"])
    assert result.stdout.strip() == "['pocketmars train solo', '--game', 'project_mars', '--run', 'runs/x']"


def test_a_missing_library_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_line, "is_installed", lambda module: False)
    result = CliRunner().invoke(app, ["train", "rllib-self-play"])
    assert result.exit_code == 1
    assert '-e ".[rllib]"' in result.output


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_script_exists(name: str) -> None:
    pytest.importorskip(SCRIPTS[name].needs)
    assert callable(importlib.import_module(module_of(name)).main)
