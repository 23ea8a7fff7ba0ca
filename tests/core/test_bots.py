"""Bots of installed packages are found by name, even if the package of another bot is broken."""

from pathlib import Path

import pytest

from pocketmars_env.envs.opponents import bot_of

BOTS = """
class Bot:
    name = "visitor"

    def act(self, view, rng):
        return view.legal[0]


def make(name):
    if name != "visitor":
        raise ValueError(f"no bot {name}")
    return Bot()


def crash(name):
    raise KeyError(name * 10_000)


def leave(name):
    raise SystemExit("bye\\nbye")


no_function = 5
"""
ENTRY_POINTS = {
    "a_missing_module": "no_such_module:make",
    "a_missing_function": "visiting_bots:missing",
    "a_number": "visiting_bots:no_function",
    "crashing": "visiting_bots:crash",
    "leaving": "visiting_bots:leave",
    "visiting": "visiting_bots:make",
}


@pytest.fixture
def visitors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package whose entry points are broken, except the last one."""
    (tmp_path / "visiting_bots.py").write_text(BOTS)
    folder = tmp_path / "visiting_bots-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: visiting-bots\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in ENTRY_POINTS.items()]
    (folder / "entry_points.txt").write_text("\n".join(["[pocketmars.bots]", *lines]))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("visitors")
def test_a_bot_is_found_although_other_packages_are_broken() -> None:
    assert bot_of("visitor").name == "visitor"
    assert bot_of("greedy").name == "greedy"


@pytest.mark.usefixtures("visitors")
def test_a_wrong_name_gets_a_suggestion_and_the_broken_packages_are_named() -> None:
    with pytest.raises(ValueError, match="'greedy'") as caught:
        bot_of("gredy")
    message = str(caught.value)
    assert all(repr(name) in message for name in ENTRY_POINTS if name != "visiting")
    assert "no bot gredy" in message
    assert message.isprintable()
    assert len(message) < 10_000
