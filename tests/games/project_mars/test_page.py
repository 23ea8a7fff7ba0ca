"""The README of the rules names all modules and the size of the state."""

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
