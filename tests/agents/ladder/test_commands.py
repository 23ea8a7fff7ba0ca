"""The commands ``pocketmars submit``, ``verify`` and ``ladder``."""

from pathlib import Path

import pytest

from pocketmars_agents.ladder.bundle import read_bundle
from tests.agents.ladder.conftest import PROGRAM
from tests.agents.playing import output_of, refusal_of

pytestmark = pytest.mark.usefixtures("division")
CARD = ("--name", "my-bot", "--author", "me", "--license", "MIT", "--description", "A test.")


def submitted(folder: Path) -> Path:
    program, bundle = folder / "bot", folder / "my-bot.zip"
    for name in ("data", ".git", "__pycache__"):
        (program / name).mkdir(parents=True)
        (program / name / "file").write_bytes(b"x")
    (program / "program.py").write_bytes(PROGRAM.read_bytes())
    options = (*CARD, "--program", str(program), "--division", "test", "--out", str(bundle))
    output_of("submit", "exec:python3 program.py", *options)
    return bundle


@pytest.mark.usefixtures("needs_sandbox")
def test_a_bot_enters_the_ladder(tmp_path: Path) -> None:
    bundle, folder = submitted(tmp_path), ("--folder", str(tmp_path / "ladder"))
    output_of("verify", str(bundle), "--games", "2", *folder)
    assert not (tmp_path / "ladder").exists()
    output_of("verify", str(bundle), "--games", "2", "--write", *folder)
    output_of("verify", str(bundle), "--again", *folder)
    assert "--again" in refusal_of("verify", str(bundle), *folder)
    assert "my-bot" in output_of("ladder", "--division", "test", *folder)


@pytest.mark.usefixtures("needs_sandbox")
def test_a_python_class_enters_as_a_program(tmp_path: Path) -> None:
    (tmp_path / "bot").mkdir()
    (tmp_path / "bot" / "mine.py").write_text(
        "class First:\n    name = 'first'\n    def act(self, view, rng):\n        return view.legal[0]\n"
    )
    bundle = tmp_path / "my-bot.zip"
    options = (*CARD, "--program", str(tmp_path / "bot"), "--division", "test", "--out", str(bundle))
    output_of("submit", "exec:pocketmars engine mine:First", *options)
    output_of("verify", str(bundle), "--games", "1", "--folder", str(tmp_path / "ladder"))


def test_a_bundle_has_the_visible_files_of_the_program(tmp_path: Path) -> None:
    bundle = read_bundle(submitted(tmp_path))
    assert set(bundle.files) == {"program/program.py", "program/data/file"}
    assert bundle.card.command == ("python3", "program.py")


@pytest.mark.parametrize("bot", ["planner", "tests.agents.bots:First", "nothing.onnx", "exec:", "llm:model"])
def test_only_policies_and_programs_are_packed(tmp_path: Path, bot: str) -> None:
    bundle = tmp_path / "my-bot.zip"
    refusal_of("submit", bot, *CARD, "--division", "test", "--out", str(bundle))
    assert not bundle.exists()


def test_an_unknown_division_is_refused() -> None:
    assert "nothing" in refusal_of("ladder", "--division", "nothing")
