"""The shell commands in the documents exist and accept the given options; nothing is run."""

import importlib.util
import re
import shlex
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from pocketmars_training.command_line import SCRIPTS, full_app
from tests.test_documents import PAGES, ROOT, code_blocks, page_name

app = full_app()

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
COMMAND: Any = typer.main.get_command(app)

OTHER_PROGRAMS = {
    ROOT / "pocketmars_env" / "core" / "svg" / "fonts" / "README.md",
    ROOT / "training" / "SCALING.md",
}
"""Pages whose shell commands need files or clusters that are not available in a test."""
PAGES_WITH_COMMANDS = [page for page in PAGES if code_blocks(page, "sh") and page not in OTHER_PROGRAMS]


def commands(page: Path) -> list[list[str]]:
    """The words of every command in a page's shell blocks."""
    lines = "\n".join(code_blocks(page, "sh")).replace("\\\n", " ").replace(" && ", "\n").splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.strip()]


def check_pocketmars(arguments: list[str]) -> None:
    """Check the arguments with the command's own parser."""
    subcommand = COMMAND.commands[arguments[0]]
    subcommand.make_context(arguments[0], arguments[1:])
    if arguments[0] == "train":
        check_training(*arguments[1:])


def check_training(script: str, *options: str) -> None:
    """Check that a training script has these options, if the library that it needs is installed."""
    pytest.importorskip(SCRIPTS[script].needs)
    shown = CliRunner().invoke(app, ["train", script, "--help"]).stdout
    assert {option for option in options if option.startswith("--")} <= set(re.findall(r"--[\w-]+", shown))


def check_module(arguments: list[str]) -> None:
    name = arguments[0]
    if name == "venv":
        return
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None


def check_pip(arguments: list[str]) -> None:
    for extra in re.findall(r"\[(.+?)\]", " ".join(arguments)):
        assert set(extra.split(",")) <= set(EXTRAS)
    if "-c" in arguments:
        assert (ROOT / arguments[arguments.index("-c") + 1]).exists()


def check(words: list[str]) -> None:
    """Raise an error unless the command could be run."""
    program, *arguments = words
    name = Path(program).name
    if name == "pocketmars":
        check_pocketmars(arguments)
    elif name in ("python", "python3"):
        assert arguments[0] == "-m"
        check_module(arguments[1:])
    elif name == "pip":
        check_pip(arguments)
    else:
        known = (".", "cd", "git")  # . and cd are the shell's
        assert program in known or name in entry_points(group="console_scripts").names


@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=page_name)
def test_commands_in_blocks_can_be_run(page: Path) -> None:
    for words in commands(page):
        check(words)


def test_subcommands_in_the_text_exist() -> None:
    for page in PAGES:
        text = " ".join(page.read_text(encoding="utf-8").split())
        named = set(re.findall(r"`(?:\.venv/bin/)?pocketmars ([a-z]+)", text))
        assert named <= set(COMMAND.commands), page
