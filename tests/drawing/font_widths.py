"""Character widths of the bundled fonts: ``python -m tests.drawing.font_widths`` writes `WIDTHS_FILE`."""

import json

from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.svg.font import FONT_FILES, UNITS_PER_EM, WIDTHS_FILE

Widths = dict[str, dict[str, int]]


def font_widths() -> Widths:
    """Return the advance width of each character by font file name, read with fontTools."""
    from fontTools.ttLib import TTFont

    found: Widths = {}
    for path in FONT_FILES:
        font = TTFont(path)
        assert font["head"].unitsPerEm == UNITS_PER_EM
        found[path.name] = {chr(code): font["hmtx"][glyph][0] for code, glyph in font.getBestCmap().items()}
    return found


if __name__ == "__main__":
    write_whole(WIDTHS_FILE, (json.dumps(font_widths(), indent=0) + "\n").encode())
    print(f"written: {WIDTHS_FILE}")
