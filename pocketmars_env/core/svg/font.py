"""Text widths of the bundled font, read from the font file, and line breaking."""

import struct
from functools import cache
from pathlib import Path

FONT_FOLDER = Path(__file__).parent / "fonts"
REGULAR = FONT_FOLDER / "DejaVuSansCondensed.ttf"
BOLD = FONT_FOLDER / "DejaVuSansCondensed-Bold.ttf"
FONT_FILES = (REGULAR, BOLD)
FONT_FAMILY = "DejaVu Sans Condensed"

ASCENT = 0.76
"""Height of capitals above the baseline, in units of the font size; brackets reach a little higher."""
DESCENT = 0.24


def tables_of(font: bytes) -> dict[bytes, bytes]:
    """The tables of an OpenType font by name (OpenType specification, "Table directory")."""
    (count,) = struct.unpack_from(">H", font, 4)
    entries = [struct.unpack_from(">4s4xII", font, 12 + 16 * number) for number in range(count)]
    return {name: font[start : start + length] for name, start, length in entries}


def glyph_numbers(cmap: bytes) -> dict[str, int]:
    """Character → glyph number, from a font's first ``cmap`` subtable, which must have format 4.

    Raises:
        ValueError: if it has another format.

    """
    (start,) = struct.unpack_from(">I", cmap, 8)
    table = cmap[start:]
    kind, twice_segments = struct.unpack_from(">H4xH", table)
    if kind != 4:
        raise ValueError(f"only cmap subtables of format 4 are read, got {kind}")
    segments = twice_segments // 2
    columns = [14, 16 + twice_segments, 16 + 2 * twice_segments, 16 + 3 * twice_segments]
    ends, starts, deltas, offsets = (struct.unpack_from(f">{segments}H", table, at) for at in columns)
    found = {}
    for segment in range(segments):
        for code in range(starts[segment], min(ends[segment], 0xFFFE) + 1):
            number = code
            if offsets[segment]:
                at = columns[3] + 2 * segment + offsets[segment] + 2 * (code - starts[segment])
                (number,) = struct.unpack_from(">H", table, at)
            found[chr(code)] = (number + deltas[segment]) & 0xFFFF
    return found


@cache
def advance_widths(is_bold: bool = False) -> dict[str, float]:
    """Character → advance width in units of the font size, for all characters of the font."""
    tables = tables_of((BOLD if is_bold else REGULAR).read_bytes())
    (units,) = struct.unpack_from(">H", tables[b"head"], 18)
    (count,) = struct.unpack_from(">H", tables[b"hhea"], 34)
    widths = [struct.unpack_from(">H", tables[b"hmtx"], 4 * glyph)[0] / units for glyph in range(count)]
    # glyphs beyond the list are as wide as its last one
    return {
        character: widths[min(glyph, count - 1)]
        for character, glyph in glyph_numbers(tables[b"cmap"]).items()
    }


@cache
def width_of(text: str, size: float, is_bold: bool = False) -> float:
    """The width of a line of text in the unit of `size`.

    Raises:
        KeyError: if the bundled font lacks a character.

    """
    widths = advance_widths(is_bold)
    return size * sum(widths[character] for character in text)


@cache
def lines_of(text: str, size: float, most: float, is_bold: bool = False) -> tuple[str, ...]:
    """Break a text between words into lines no wider than `most`; a single word can be wider."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size, is_bold) <= most:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)
