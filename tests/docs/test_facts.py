"""Every number in the prose of the README and of the site comes from the code.

`FACTS` has, for each page, phrases with its numbers, put together from the code. Only the numbers are
compared: one that a page lacks, or that no phrase has, is an error. Tables and parts between markers are
generated or compared elsewhere, and code blocks run.
"""

import re
from pathlib import Path

import pytest

from tests.docs.facts import FACTS, PARTLY, ROOT, WORDS, decisions_per_second

PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "notebooks" / "README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]

NUMBER = re.compile(
    rf"(?<![\w.-])\d[\d.,]*|\b(?:{'|'.join(WORDS)}|hundred|thousand|million)\b", re.IGNORECASE
)


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def prose(markdown: str) -> str:
    """The running text of a page, in one line: no blocks, markers, links' targets or emphasis."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!-- (\w+) begins -->.*?<!-- \1 ends -->", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- table: .*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"<[a-z/][^>]*>", "", text)
    text = re.sub(r"^:::.*(?:\n    .*)*", "", text, flags=re.MULTILINE)
    text = re.sub(r"\]\([^)]*\)", "]", text).replace("*", "")
    text = re.sub(r"^(?:#+ )?(?:\d+\. )?", "", text, flags=re.MULTILINE)
    return " ".join(text.split())


def numbers(text: str) -> set[str]:
    """The numbers in a text, without those in inline code."""
    text = re.sub(r"`[^`]*`", "", text)
    return {found[0].rstrip(".,").lower() for found in NUMBER.finditer(text)}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_number_is_one_of_the_code(page: Path) -> None:
    facts = numbers(" ".join(FACTS.get(page_name(page), [])))
    found = numbers(prose(page.read_text(encoding="utf-8")))
    assert facts - found == set(), "the code says so, the page does not"
    assert {number for number in found - facts if number[0].isdigit()} == set(), "add it to FACTS"


def test_facts_are_of_pages_that_exist() -> None:
    assert set(FACTS) <= {page_name(page) for page in PAGES}


@pytest.mark.parametrize("name", PARTLY)
def test_the_settings_on_other_pages_are_those_of_the_code(name: str) -> None:
    text = prose((ROOT / name).read_text(encoding="utf-8"))
    assert numbers(" ".join(PARTLY[name])) - numbers(text) == set()


def test_writing_the_observation_takes_longer_than_the_rules_and_the_mask() -> None:
    """As the page on performance says."""
    seconds = 1 / decisions_per_second("rules + mask")
    assert 1 / decisions_per_second("rules + mask + observation") - seconds > seconds


def test_the_section_of_two_commands_has_two() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.partition("\n## Two commands\n")[2].partition("\n## ")[0]
    assert section.count("```sh\n") == 2


def test_numbers_of_the_prose_are_found() -> None:
    text = prose("Everybody has *8* colonists, and\nthree `Game(3)` of [them](at-9.md).\n\n1. An item\n")
    assert numbers(text) == {"8", "three"}
