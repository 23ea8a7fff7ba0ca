"""The code in every row of the README's table of libraries runs, except that training is shortened."""

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"

MODULES = {
    "PettingZoo": "pettingzoo",
    "Gymnasium": "gymnasium",
    "Gymnasium, many games": "gymnasium",
    "Stable-Baselines3": "sb3_contrib",
    "OpenSpiel": "pyspiel",
    "RLlib": "ray.rllib",
    "TorchRL": "torchrl",
    "Tianshou": "tianshou",
    "TextArena": "textarena",
}
"""The module that must be installed for the code of a row."""


@dataclass(frozen=True)
class Library:
    """A row of the README's table of libraries."""

    name: str
    extra: str
    code: str


def libraries() -> dict[str, Library]:
    """Return the rows of the README's table of libraries, by library name."""
    text = README.read_text(encoding="utf-8")
    section = text.split("## Your library", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    found = {}
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] not in ("library", "---"):
            name, extra, code = cells
            lines = [part.strip("`") for part in code.split("<br>")]
            found[name] = Library(name, extra.strip("`"), "\n".join(lines))
    return found


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is not installed either
        return False


def test_the_table_names_every_library() -> None:
    assert list(libraries()) == list(MODULES)


def test_the_extras_exist() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    extras = project.split("[project.optional-dependencies]")[1].split("\n[", maxsplit=1)[0]
    defined = set(re.findall(r"^(\w+) = \[", extras, re.M))
    assert {library.extra for library in libraries().values()} - {"-"} <= defined


@pytest.mark.filterwarnings("default")  # a library's own warnings must not fail the test
@pytest.mark.parametrize("name", MODULES)
def test_its_lines_start_it(name: str) -> None:
    if not is_installed(MODULES[name]):
        pytest.skip(f"{MODULES[name]} is not installed")
    code = re.sub(r"\.learn\([\d_]+\)", ".learn(1)", libraries()[name].code)  # one rollout is enough
    assert len(code.splitlines()) <= 4
    exec(compile(code, name, "exec"), {})
