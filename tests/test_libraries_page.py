"""The code in every row of the table of libraries runs, except that training is shortened."""

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "libraries.md"

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


def libraries() -> dict[str, tuple[str, str]]:
    """Return the extra and the code of every row of the table, by library name."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[0] not in ("library", "---"):
            name, extra, code = cells
            lines = [part.strip("`") for part in code.split("<br>")]
            found[name] = extra.strip("`"), "\n".join(lines)
    return found


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is not installed either
        return False


def test_the_table_names_every_library() -> None:
    assert list(libraries()) == list(MODULES)


def test_the_extras_exist() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {extra for extra, _ in libraries().values()} - {"-"} <= set(project["optional-dependencies"])


@pytest.mark.filterwarnings("default")  # a library's own warnings must not fail the test
@pytest.mark.parametrize("name", MODULES)
def test_its_lines_start_it(name: str) -> None:
    if not is_installed(MODULES[name]):
        pytest.skip(f"{MODULES[name]} is not installed")
    code = re.sub(r"\.learn\([\d_]+\)", ".learn(1)", libraries()[name][1])  # one rollout is enough
    assert len(code.splitlines()) <= 4
    exec(compile(code, name, "exec"), {})
