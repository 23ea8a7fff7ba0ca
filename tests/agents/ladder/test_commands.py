"""The commands ``pocketmars submit``, ``verify`` and ``ladder``."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pocketmars_agents.ladder.bundle import read_bundle
from pocketmars_training.command_line import full_app
from tests.agents.ladder.conftest import PROGRAM

CARD = ("--name", "my-bot", "--author", "me", "--license", "MIT", "--description", "A test.")


def run(*arguments: object) -> tuple[int, str]:
    done = CliRunner().invoke(full_app(), list(map(str, arguments)))
    return done.exit_code, done.stdout + done.stderr


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "program.py").write_bytes(PROGRAM.read_bytes())
    return tmp_path / "bot"


def submitted(program: Path, bot: str = "exec:python3 program.py") -> Path:
    bundle = program.parent / "my-bot.zip"
    status, output = run("submit", bot, "--program", program, *CARD, "--division", "test", "--out", bundle)
    assert status == 0, output
    return bundle


@pytest.mark.usefixtures("division", "needs_sandbox")
def test_a_bot_enters_the_ladder(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundle, folder = submitted(program), ("--folder", tmp_path / "ladder")
    status, output = run("verify", bundle, "--games", 2, *folder)
    assert status == 0, output
    assert not (tmp_path / "ladder").exists()
    assert run("verify", bundle, "--games", 2, "--write", *folder)[0] == 0
    assert run("verify", bundle, "--again", *folder)[0] == 0
    assert run("verify", bundle, *folder)[0] == 2
    status, output = run("ladder", "--division", "test", *folder)
    assert status == 0
    assert "my-bot" in output


@pytest.mark.usefixtures("division")
def test_a_bundle_has_the_files_of_the_program(program: Path) -> None:
    (program / "data").mkdir()
    (program / "data" / "weights").write_bytes(b"w")
    bundle = read_bundle(submitted(program))
    assert set(bundle.files) == {"program/program.py", "program/data/weights"}
    assert bundle.card.command == ("python3", "program.py")


@pytest.mark.usefixtures("division")
@pytest.mark.parametrize("bot", ["planner", "tests.agents.bots:First", "nothing.onnx", "exec:", "llm:model"])
def test_only_policies_and_programs_are_packed(tmp_path: Path, bot: str) -> None:
    bundle = tmp_path / "my-bot.zip"
    status, output = run("submit", bot, *CARD, "--division", "test", "--out", bundle)
    assert status == 2
    assert len(output.splitlines()) == 1
    assert not bundle.exists()


def test_a_ladder_has_the_known_divisions() -> None:
    assert run("ladder", "--markdown")[0] == 0
    assert run("ladder", "--division", "nothing")[0] == 2
