"""The address of the public repository is in the documents, if there is one."""

import json

import pytest
import yaml

from tests.docs.repository import ADDITIONS, ROOT, address, with_address

URL = "https://example.org/owner/name"


@pytest.mark.parametrize(("name", "place", "addition"), ADDITIONS)
def test_an_addition_can_be_made_changed_and_removed(name: str, place: str, addition: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert with_address(text, place, addition, address()) == text, "run python -m tests.docs.repository"
    other = with_address(text, place, addition, "https://other.org/a/b")
    added = with_address(other, place, addition, URL)
    assert "owner/name" in added
    assert with_address(added, place, addition, address()) == text
    if name.endswith(".ipynb"):
        assert "owner/name" in "".join(json.loads(added)["cells"][0]["source"])
    if name.endswith(".cff"):
        assert yaml.safe_load(added)["repository-code"] == URL
