"""A small division, and bundles for it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pocketmars_agents.ladder import rows, verify
from pocketmars_agents.ladder.bundle import Bundle, Card, write_bundle
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.sandbox import SandboxError, check_sandbox
from pocketmars_env import GameConfig

PROGRAM = Path(__file__).with_name("program.py")

Submit = Callable[..., Bundle]


@pytest.fixture
def division(monkeypatch: pytest.MonkeyPatch) -> Division:
    """The only division in a test, in which a sample has few games."""
    config = GameConfig(players=2)
    division = Division(
        name="test",
        title="Test",
        opponents={"random": config, "greedy": config},
        bots=("random", "greedy", "planner"),
        first_seed=5,
    )
    monkeypatch.setattr(rows, "all_divisions", lambda: {"test": division})
    monkeypatch.setattr(verify, "SAMPLE", 4)
    monkeypatch.setattr(verify, "MAX_DELAY", 0.001)
    return division


@pytest.fixture
def needs_sandbox() -> None:
    try:
        check_sandbox()
    except SandboxError as error:
        pytest.skip(str(error))


@pytest.fixture
def submit(tmp_path: Path, division: Division) -> Submit:
    """Return a function that makes a bundle with `program.py`, given its arguments, or with a policy."""

    def make(*arguments: str, name: str = "my-bot", author: str = "me", policy: Path | None = None) -> Bundle:
        card = Card(
            name=name,
            author=author,
            license="MIT",
            description="A test.",
            division=division.name,
            command=() if policy else ("python3", "program.py", *arguments),
        )
        files = {"policy.onnx": policy} if policy else {"program/program.py": PROGRAM}
        return write_bundle(tmp_path / f"{name}.zip", card, files)

    return make
