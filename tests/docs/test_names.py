"""Files, modules and environments that the documents name exist."""

import importlib
import re
from pathlib import Path

from pocketmars_agents.games.pocket_mars.suites import SUITES
from pocketmars_env.envs.registration import aec_id
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.test_documents import PAGES, ROOT

FOLDERS = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"site"}


def code(page: Path) -> list[str]:
    """Return the inline code of a page, without code blocks."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"`([^`\n]+)`", text)


def test_files_of_the_repository_exist() -> None:
    for page in PAGES:
        paths = [one for one in code(page) if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", one) and "/" in one]
        named = [path for path in paths if path.split("/")[0] in FOLDERS]
        missing = [path for path in named if not any((root / path).exists() for root in (ROOT, page.parent))]
        assert missing == [], page


def test_names_of_the_packages_exist() -> None:
    names = {name for page in PAGES if page.name != "CHANGELOG.md" for name in code(page)}
    for name in sorted(names):
        found = re.fullmatch(r"((?:pocketmars_(?:env|agents|training))(?:\.\w+)*)\.(\w+)(?:\(.*\))?", name)
        if found is None or (ROOT / name).exists():
            continue
        try:
            importlib.import_module(f"{found[1]}.{found[2]}")
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(found[1]), found[2]), name


def test_the_version_policy_names_every_environment_and_suite() -> None:
    text = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")
    for name in (SOLO_ID, TABLE_ID, aec_id(SPEC), *SUITES):
        assert f"`{name}`" in text


def test_no_text_says_that_the_package_is_published() -> None:
    sources = [*PAGES, *(ROOT / "notebooks").glob("*.ipynb")]
    sources += [
        path for name in ("pocketmars_env", "agents", "training") for path in (ROOT / name).rglob("*.py")
    ]
    pattern = re.compile(r"pip install [^\n]*pocketmars[-_]env")
    assert [path for path in sources if pattern.search(path.read_text(encoding="utf-8"))] == []
