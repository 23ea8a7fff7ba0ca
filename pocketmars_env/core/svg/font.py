"""Text widths of the bundled font, and line breaking."""

import json
from functools import cache
from pathlib import Path

FONT_FOLDER = Path(__file__).parent / "fonts"
REGULAR = FONT_FOLDER / "DejaVuSansCondensed.ttf"
BOLD = FONT_FOLDER / "DejaVuSansCondensed-Bold.ttf"
FONT_FILES = (REGULAR, BOLD)
WIDTHS_FILE = FONT_FOLDER / "widths.json"
"""Advance widths of both fonts; the file is needed because the base installation has no font library."""
UNITS_PER_EM = 2048
FONT_FAMILY = "DejaVu Sans Condensed"


@cache
def advance_widths(is_bold: bool) -> dict[str, float]:
    """Return the regular or bold font's advance widths, keyed by character, in units of the font size."""
    widths = json.loads(WIDTHS_FILE.read_text(encoding="utf-8"))[(BOLD if is_bold else REGULAR).name]
    return {character: width / UNITS_PER_EM for character, width in widths.items()}


@cache
def width_of(text: str, size: float, is_bold: bool = False) -> float:
    """Return the width of a line of text, in the unit of `size`."""
    widths = advance_widths(is_bold)
    return size * sum(widths[character] for character in text)


@cache
def lines_of(text: str, size: float, most: float) -> tuple[str, ...]:
    """Break text at whitespace into lines no wider than `most`; only a single word can be wider."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
