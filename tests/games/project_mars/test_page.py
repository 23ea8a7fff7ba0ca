"""The README of the rules names all modules, the size of the state, and the rulings that the sources cite."""

import re
from pathlib import Path

from pocketmars_env.games.project_mars import rules
from pocketmars_env.games.project_mars.rules.state import STATE

FOLDER = Path(rules.__path__[0])
PAGE = FOLDER / "README.md"


def test_the_page_names_every_module_and_the_size_of_the_state() -> None:
    page = PAGE.read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+\.py)` \|", page, flags=re.MULTILINE))
    assert named == {path.name for path in FOLDER.glob("*.py")} - {"__init__.py"}
    assert f"one record of {STATE.itemsize} bytes" in page


def test_the_rulings_in_the_sources_are_on_the_page() -> None:
    page = PAGE.read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py"))
    assert set(re.findall(r"R-[A-Z]+", sources)) <= set(
        re.findall(r"^\| (R-[A-Z]+) \|", page, flags=re.MULTILINE)
    )
