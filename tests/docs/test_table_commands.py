"""The commands beside generated tables of results exist."""

import importlib
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

ROOT = Path(__file__).parents[2]
PAGES = ("training/BASELINES.md", "docs/exact_benchmark.md", "docs/small_games.md", "docs/strength.md")
COMMAND = re.compile(r"python -m (?:training\.)?((?:baselines|pocketmars_training)[\w.]*)\s+([\w-]+)")


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_beside_tables_exist(page: str) -> None:
    commands = set(COMMAND.findall((ROOT / page).read_text(encoding="utf-8")))
    assert commands
    for name, command in commands:
        module = importlib.import_module(name)
        app = getattr(module, "app", None) or importlib.import_module(f"{name}.__main__").app
        assert CliRunner().invoke(app, [command, "--help"]).exit_code == 0, (name, command)
