"""Titles of the main figures, their thumbnails, and the table of findings in ``notebooks/README.md``.

``python -m tests.notebooks.table`` makes them from the notebooks' stored outputs.
"""

import base64
import hashlib
import re
import textwrap
from io import BytesIO
from pathlib import Path
from typing import Any

import nbformat
from matplotlib.figure import Figure
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from pocketmars_env.core.files.writing import write_whole
from tests.notebooks.executing import FOLDER, NOTEBOOKS, number_of, read, tagged

PAGE = FOLDER / "README.md"
BLOCK = re.compile(r"(?<=<!-- answers begins -->\n)(.*?)(?=<!-- answers ends -->)", flags=re.DOTALL)
THUMBNAILS, THUMBNAIL_WIDTH = FOLDER / "thumbnails", 320
SOURCE = "source"
"""The key of the PNG text that stores the SHA-256 hash of the picture from which a thumbnail was made."""
PNG = "image/png"
DPI, FONT_SIZE = 80, 11
PIXELS_PER_CHARACTER, PIXELS_PER_LINE, MARGIN = 8, 18, 10
INTERVAL, NO_BREAK_SPACE = re.compile(r" %| ?\[.*?\]"), "\N{NO-BREAK SPACE}"
"""Matches what stays on the line of the number before it."""
TITLE = re.compile(r"# (\d\d) (\S.*\?)\n")


def title_of(notebook: Any) -> str:
    """Return the question in the first cell, which begins with "# NN Question?"."""
    found = TITLE.match(notebook.cells[0].source)
    assert found is not None, "the first cell must begin with '# NN Question?'"
    return found[2]


def answer_of(notebook: Any) -> str:
    """Return the first paragraph of the output of the cell with the tag ``answer``, without its label."""
    (output,) = tagged(notebook, "answer").outputs
    text = str(output["data"]["text/markdown"])
    assert text.startswith("**Answer.** ")
    return text.removeprefix("**Answer.** ").partition("\n\n")[0]


def finding_of(notebook: Any) -> str:
    """Return the finding: the first sentence of the answer."""
    return re.split(r"(?<=[.!?]) (?=[A-Z`])", answer_of(notebook))[0]


def main_figure(notebook: Any) -> Any:
    """Return the output with the main figure: the picture of the cell tagged ``figure``, or the first one."""
    cells = [cell for cell in notebook.cells if "figure" in cell.metadata.get("tags", [])] or notebook.cells
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    return next(output for output in outputs if PNG in output.get("data", {}))


def title_in(figure: Any) -> str | None:
    """Return the finding in the title of a main figure, or None if it has no title yet."""
    title: str | None = figure.metadata.get(PNG, {}).get("alt")
    return title


def entitle(notebook: Any) -> None:
    """Write the finding above the main figure, as its title and its alternative text."""
    figure, finding, picture = main_figure(notebook), plain(finding_of(notebook)), untitled(notebook)
    lines = lines_of(finding, picture.width)
    height = height_of(lines)
    title, strip = Figure(figsize=(picture.width / DPI, height / DPI), dpi=DPI), BytesIO()
    options: dict[str, Any] = {"va": "center", "fontsize": FONT_SIZE, "fontweight": "bold"}
    title.text(MARGIN / picture.width, 0.5, "\n".join(lines), **options)
    title.savefig(strip, format="png")
    whole, file = Image.new("RGB", (picture.width, picture.height + height), "white"), BytesIO()
    whole.paste(Image.open(strip).convert("RGB"), (0, 0))
    whole.paste(picture, (0, height))
    whole.save(file, "PNG", optimize=True)
    figure.data[PNG] = base64.b64encode(file.getvalue()).decode()
    figure.metadata[PNG] = {"alt": finding}


def untitled(notebook: Any) -> Image.Image:
    """Return the main figure without the title that `entitle` wrote."""
    picture = Image.open(BytesIO(picture_of(notebook))).convert("RGB")
    title = title_in(main_figure(notebook))
    return picture.crop((0, height_of(lines_of(title, picture.width)), *picture.size)) if title else picture


def lines_of(finding: str, width: int) -> list[str]:
    """Return the lines of the title of a picture with a width in pixels."""
    unbroken = INTERVAL.sub(lambda found: found[0].replace(" ", NO_BREAK_SPACE), finding)
    return textwrap.wrap(unbroken, width // PIXELS_PER_CHARACTER)


def height_of(lines: list[str]) -> int:
    return PIXELS_PER_LINE * len(lines) + MARGIN


def plain(finding: str) -> str:
    """Return a finding without Markdown."""
    return finding.replace("`", "")


def picture_of(notebook: Any) -> bytes:
    """Return the main figure as a PNG file."""
    return base64.b64decode(main_figure(notebook).data[PNG])


def thumbnail_file(path: Path) -> Path:
    return THUMBNAILS / f"{number_of(path)}.png"


def thumbnail_of(notebook: Any) -> bytes:
    """Return the main figure without its title as a small PNG file, with the figure's hash as `SOURCE`."""
    small = untitled(notebook)
    small.thumbnail((THUMBNAIL_WIDTH, THUMBNAIL_WIDTH))
    info, file = PngInfo(), BytesIO()
    info.add_text(SOURCE, hashlib.sha256(picture_of(notebook)).hexdigest())
    small.quantize(64).save(file, "PNG", pnginfo=info, optimize=True)
    return file.getvalue()


def row_of(path: Path) -> str:
    """Return a notebook's row of the table."""
    number, notebook = number_of(path), read(path)
    picture = f"![Figure of notebook {number}]({thumbnail_file(path).relative_to(FOLDER).as_posix()})"
    return f"| {picture} | [{number} {title_of(notebook)}]({path.name})<br>{finding_of(notebook)} |"


def answers_table() -> str:
    """Generate the table from all notebooks."""
    return "\n".join(["| figure | question and finding |", "| --- | --- |", *map(row_of, NOTEBOOKS)])


def rewrite_page() -> None:
    """Update the titles of the main figures, and regenerate the thumbnails and the table on the page."""
    for path in NOTEBOOKS:
        notebook = read(path)
        if title_in(main_figure(notebook)) != plain(finding_of(notebook)):
            entitle(notebook)
            write(path, notebook)
        write_whole(thumbnail_file(path), thumbnail_of(notebook))
    text = BLOCK.sub(lambda _: f"\n{answers_table()}\n\n", PAGE.read_text(encoding="utf-8"))
    write_whole(PAGE, text.encode())


def write(path: Path, notebook: Any) -> None:
    """Write a notebook file."""
    write_whole(path, (nbformat.writes(notebook, indent=1) + "\n").encode())


if __name__ == "__main__":
    rewrite_page()
