"""`CITATION.cff` follows the Citation File Format and gives the current version of the package."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from pocketmars_env import __version__

ROOT = Path(__file__).parent.parent
REQUIRED = {"cff-version", "message", "title", "authors"}
"""The keys that version 1.2.0 of the Citation File Format requires."""


@pytest.fixture
def citation() -> dict[str, Any]:
    data: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return data


def test_it_has_what_the_format_asks_for(citation: dict[str, Any]) -> None:
    assert set(citation) >= REQUIRED


def test_it_is_of_this_version(citation: dict[str, Any]) -> None:
    assert citation["version"] == __version__


def test_it_agrees_with_the_project(citation: dict[str, Any]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert citation["license"] == project["license"]
    assert [author["name"] for author in citation["authors"]] == [
        author["name"] for author in project["authors"]
    ]
    assert set(citation["keywords"]) <= set(project["keywords"])


def test_the_changelog_has_a_dated_section_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)$", text, flags=re.MULTILINE)
