"""The tables in the README of the rules; ``python -m tests.games.project_mars.test_page`` updates them."""

import re
from pathlib import Path

from pocketmars_env.games.project_mars import rules
from pocketmars_env.games.project_mars.rules.cards import CARDS, STARTER_CARDS
from pocketmars_env.games.project_mars.rules.constants import Category
from pocketmars_env.games.project_mars.rules.state import STATE
from pocketmars_env.games.project_mars.text.card_text import card_text, type_line

FOLDER = Path(rules.__path__[0])
PAGE = FOLDER / "README.md"


def card_table() -> str:
    rows = ["| type | card | category and subtypes | PWR | effect |", "| ---: | --- | --- | ---: | --- |"]
    for card, row in enumerate(CARDS):
        power = "" if row.category == Category.UTILITY else row.power
        kind = type_line(card).partition(" · PWR")[0]
        rows.append(f"| {card} | {row.name} | {kind} | {power} | {card_text(card)} |")
    return "\n".join(rows)


def deck_table() -> str:
    rows = ["| deck | cards |", "| --- | --- |"]
    for name, cards in STARTER_CARDS.items():
        rows.append(f"| `{name}` | {', '.join(f'{count} {card}' for card, count in cards.items())} |")
    return "\n".join(rows)


TABLES = {"cards": card_table, "decks": deck_table}


def with_tables(text: str) -> str:
    for name, table in TABLES.items():
        begin, end = f"<!-- {name} begin -->\n", f"<!-- {name} end -->"
        before, rest = text.split(begin)
        text = before + begin + table() + "\n" + rest[rest.index(end) :]
    return text


def test_the_tables_are_those_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_tables(page)


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


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
