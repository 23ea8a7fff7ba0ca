"""Numbers in the text of the pages equal those in the code, however the sentences are worded."""

import re

import pytest

from tests.docs.facts import NUMBERS, PATTERNS, ROOT, TABLE_ROWS
from tests.test_documents import PAGES

WORDS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def prose(markdown: str) -> str:
    """Return a page's text in one line, without code blocks, generated parts, link targets and emphasis."""
    text = re.sub(r"^```.*?^```$", "", markdown, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!-- (\w+) begins -->.*?<!-- \1 ends -->", "", text, flags=re.DOTALL)
    text = re.sub(r"<!-- table: .*?<!-- end -->", "", text, flags=re.DOTALL)
    text = re.sub(r"\]\([^)]*\)", "]", text).replace("*", "")
    return " ".join(text.split())


def numbers_of(text: str, noun: str) -> set[int]:
    """Return the numbers, in digits or words, that stand directly before a noun in singular or plural."""
    number = rf"(?<![\w.–-])(\d+(?:,\d+)*|{'|'.join(WORDS)})"
    found = re.findall(rf"{number}[ -]{noun}s?\b", text, flags=re.IGNORECASE)
    return {
        WORDS.index(one.lower()) + 2 if one.lower() in WORDS else int(one.replace(",", "")) for one in found
    }


@pytest.mark.parametrize("page", NUMBERS)
def test_numbers_are_those_of_the_code(page: str) -> None:
    """Before each noun of `NUMBERS`, a page contains exactly the numbers listed for the page."""
    text = prose((ROOT / page).read_text(encoding="utf-8"))
    nouns = {noun for facts in NUMBERS.values() for noun in facts}
    found = {noun: numbers_of(text, noun) for noun in nouns}
    assert {noun: numbers for noun, numbers in found.items() if numbers} == NUMBERS[page]


def test_the_tables_of_the_rules_have_the_numbers_of_the_code() -> None:
    lines = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8").splitlines()
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")[1:]] for line in lines if line.startswith("|")
    ]
    numbers = [tuple(map(int, row)) for row in rows if row and all(cell.isdigit() for cell in row)]
    assert sorted(numbers) == sorted(TABLE_ROWS)


@pytest.mark.parametrize(("pattern", "expected"), PATTERNS)
def test_patterns_find_what_the_code_says(pattern: str, expected: str) -> None:
    pages = [page for page in PAGES if page.name != "CHANGELOG.md" and page.parent.name != "project_mars"]
    texts = [page.read_text(encoding="utf-8") for page in pages]
    assert {match for text in texts for match in re.findall(pattern, text)} == {expected}
