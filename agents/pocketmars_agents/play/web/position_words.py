"""Converts the text of a position for screen readers: each table row becomes a sentence."""

import re
from collections.abc import Iterator, Sequence

CELL = re.compile(r"\S+(?: \S+)*")
RULE = re.compile(r"\s*─+\s*")
EMPTY = ("", "·", "–")


def sentences_of(text: str) -> list[str]:
    """Convert a position's terminal text (see `Presentation.text`) into lines for a screen reader."""
    return list(sentences(text.split("\n")))


def sentences(lines: Sequence[str]) -> Iterator[str]:
    starts: list[int] = []
    titles: list[str] = []
    row: list[str] = []
    for number, line in enumerate(lines):
        is_header = number + 1 < len(lines) and bool(RULE.fullmatch(lines[number + 1]))
        if titles and line.strip() and not RULE.fullmatch(line):
            cells = cells_of(line, starts)
            if not cells[0] and row:  # the line continues the row above
                row = [" ".join(filter(None, pair)) for pair in zip(row, cells, strict=True)]
                continue
            yield from row_sentence(titles, row)
            row = cells
            continue
        yield from row_sentence(titles, row)
        row = []
        if is_header:
            headers = list(CELL.finditer(line))
            starts, titles = [header.start() for header in headers], [header[0] for header in headers]
        elif not line.strip():
            starts, titles = [], []
        elif not RULE.fullmatch(line):
            yield plain_line(line)
    yield from row_sentence(titles, row)


def cells_of(line: str, starts: Sequence[int]) -> list[str]:
    """Split a table row into cells that begin at the character positions in `starts`."""
    return [
        " ".join(line[start:end].split()) for start, end in zip(starts, [*starts[1:], None], strict=True)
    ]  # fmt: skip


def row_sentence(titles: Sequence[str], row: Sequence[str]) -> Iterator[str]:
    """Yield a row as a sentence such as "player_0: energy 3, score 12."; yield nothing for an empty row."""
    if row:
        parts = [
            f"{title} {cell}" for title, cell in zip(titles[1:], row[1:], strict=True) if cell not in EMPTY
        ]
        yield f"{row[0]}: {', '.join(parts) or 'nothing'}."


def plain_line(line: str) -> str:
    """Join the cells of a line outside a table, as "first: second, third."; a single cell has no period."""
    cells = [cell if cell not in EMPTY else "empty" for cell in CELL.findall(line)]
    if len(cells) == 1:
        return cells[0]
    return f"{cells[0]}: {', '.join(cells[1:])}."
