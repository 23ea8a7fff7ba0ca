"""Text widths are those of the bundled fonts, and wrapped lines fit the given width."""

import json
import string

import pytest

from pocketmars_env.core.svg.font import FONT_FILES, REGULAR, WIDTHS_FILE, advance_widths, lines_of, width_of
from pocketmars_env.games.pocket_mars.rules.cards import NUM_PROGRAMS
from pocketmars_env.games.pocket_mars.text.card_text import program_text
from tests.drawing.font_widths import font_widths


@pytest.mark.parametrize("is_bold", [False, True])
def test_the_font_has_what_is_written(is_bold: bool) -> None:
    needed = set(string.printable[:95]) | {c for p in range(NUM_PROGRAMS) for c in program_text(p)}
    assert needed | set("★·×–") <= set(advance_widths(is_bold))


def test_the_table_of_widths_is_that_of_the_fonts() -> None:
    pytest.importorskip("fontTools")
    stored = json.loads(WIDTHS_FILE.read_text(encoding="utf-8"))
    assert stored == font_widths(), "run python -m tests.drawing.font_widths"


def test_the_font_is_small_and_has_its_licence() -> None:
    assert sum(path.stat().st_size for path in FONT_FILES) < 300_000
    licence = (REGULAR.parent / "LICENSE_DEJAVU.txt").read_text(encoding="utf-8")
    assert "Permission is hereby granted, free of charge" in licence


def test_width_grows_with_size_and_text() -> None:
    assert width_of("Pocket", 20) == pytest.approx(2 * width_of("Pocket", 10))
    assert width_of("Pocket Mars", 10) == pytest.approx(width_of("Pocket", 10) + width_of(" Mars", 10))


def test_lines_are_no_wider_than_asked_and_lose_nothing() -> None:
    for text in map(program_text, range(NUM_PROGRAMS)):
        lines = lines_of(text, 12, 120)
        assert " ".join(lines) == text
        assert all(width_of(line, 12) <= 120 for line in lines)


def test_a_word_too_wide_stands_alone() -> None:
    assert lines_of("a colonist", 12, 10) == ("a", "colonist")
    assert lines_of("", 12, 10) == ()
