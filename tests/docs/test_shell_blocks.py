"""The commands in each page's shell blocks run in order, with fewer games and training steps."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pocketmars_agents.line_protocol.connection import close_all
from pocketmars_training.command_line import SCRIPTS, full_app
from tests.agents.llm.scripted import last_legal, serving
from tests.docs.test_commands import PAGES_WITH_COMMANDS, commands
from tests.docs.test_recipes import bot_folder
from tests.test_documents import ROOT, page_name

app = full_app()

pytestmark = pytest.mark.slow
__all__ = ["bot_folder"]

SMALLER: dict[str, list[str]] = {
    "arena": ["--deals", "1", "--jobs", "1"],
    "bench": ["--deals", "1", "--jobs", "1"],
    "compare": ["--max-games", "4", "--jobs", "1"],
    "engine": [],
    "exact": ["--iterations", "16"],
    "ladder": [],
    "rate": ["--deals", "1", "--jobs", "1"],
    "record": ["--games", "3", "--jobs", "1"],
    "replay": [],
    "train": ["--total-timesteps", "400", "--eval-freq", "200", "--n-eval-episodes", "4"],
    "watch": ["--speed", "0"],
}
"""Options appended to a command; if an option is given twice, the last value counts."""
NOT_RUN = {"play", "site", "submit", "verify", "wasm"}
"""Commands that wait for user input, need files that the pages do not make, or take long."""
HOURS_OF_TRAINING = {
    ROOT / "agents" / "pocketmars_agents" / "games" / name / "policies" / "README.md"
    for name in ("pocket_mars", "project_mars")
}


def commands_of(page: Path) -> list[list[str]]:
    """Return the arguments of the page's `pocketmars` commands, without those of `NOT_RUN`."""
    found = [words[1:] for words in commands(page) if Path(words[0]).name == "pocketmars"]
    return [arguments for arguments in found if arguments[0] not in NOT_RUN]


RUN = [page for page in PAGES_WITH_COMMANDS if page not in HOURS_OF_TRAINING and commands_of(page)]


@pytest.fixture
def folder(bot_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with what the pages assume: a Python bot, a bot program, the `pocketmars` command."""
    line_bot = ROOT / "tests" / "agents" / "line_protocol_bot.py"
    add_program(bot_folder / "my_bot", f"{sys.executable} -S {line_bot} ''")
    add_program(bot_folder / "bin" / "pocketmars", f'{sys.executable} -m pocketmars_agents "$@"')
    monkeypatch.chdir(bot_folder)
    monkeypatch.setenv("PATH", str(bot_folder / "bin"), prepend=":")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{ROOT / 'agents'}")
    monkeypatch.setattr(sys, "path", [*sys.path])  # the command adds the folder to it
    monkeypatch.delitem(sys.modules, "my_bot", raising=False)
    yield bot_folder
    close_all()


def add_program(path: Path, command: str) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nexec {command}\n", encoding="utf-8")
    path.chmod(0o755)


def prepare(folder: Path, arguments: list[str]) -> None:
    """Create the files that a page assumes to exist."""
    if arguments[0] == "replay" and not (folder / arguments[1]).exists():
        run(["watch", "random", "--seed", "1", "--save", arguments[1]])
    if "--resume" in arguments and not (folder / "runs" / "solo").exists():
        shutil.copytree(folder / "runs" / "tiny", folder / "runs" / "solo")


def run(arguments: list[str]) -> None:
    name, *_ = arguments
    words = [*arguments, *SMALLER[name]]
    result: Any = CliRunner().invoke(app, words, input="")
    assert result.exit_code == 0, f"{' '.join(words)}: {result.output} {result.exception!r}"
    assert "failed in" not in result.output, "no bot forfeits a game"


@pytest.mark.parametrize("page", RUN, ids=page_name)
def test_commands_run(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(last_legal, monkeypatch):
        for arguments in commands_of(page):
            if arguments[0] == "train":
                pytest.importorskip(SCRIPTS[arguments[1]].needs)
            prepare(folder, arguments)
            run(arguments)


def test_the_command_of_open_spiel_runs(tmp_path: Path) -> None:
    pytest.importorskip("pyspiel")
    (words,) = [one for one in commands(ROOT / "docs" / "environments.md") if one[0] == "python"]
    subprocess.run([sys.executable, *words[1:]], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / words[-1]).stat().st_size > 0
