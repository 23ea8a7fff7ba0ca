"""The table of questions and findings in ``notebooks/README.md``, made from the notebooks."""

import re
from pathlib import Path
from typing import Any

from pocketmars_env.core.files.writing import write_whole
from tests.notebooks.executing import FOLDER, NOTEBOOKS, number_of, read, tagged

PAGE = FOLDER / "README.md"
BLOCK = re.compile(r"(?<=<!-- answers begins -->\n)(.*?)(?=<!-- answers ends -->)", flags=re.DOTALL)
SENTENCES = {"06": 1, "10": 2}
"""The index of the sentence that states the finding, in answers where this is not the first sentence."""
TITLE = re.compile(r"# (\d\d) (\S.*\?)\n")


def title_of(notebook: Any) -> str:
    """Return the question in the first cell.

    Raises:
        ValueError: unless the first cell begins with "# NN Question?".

    """
    found = TITLE.match(notebook.cells[0].source)
    if found is None:
        raise ValueError("the first cell must begin with '# NN Question?'")
    return found[2]


def answer_of(notebook: Any) -> str:
    """Return the first paragraph of the output of the cell with the tag ``answer``, without its label.

    Raises:
        ValueError: if the output is not a single Markdown text that begins with "**Answer.**".

    """
    outputs = tagged(notebook, "answer").outputs
    texts = [output.data["text/markdown"] for output in outputs if "text/markdown" in output.get("data", {})]
    if len(outputs) != 1 or len(texts) != 1 or not texts[0].startswith("**Answer.** "):
        raise ValueError("the cell with the tag 'answer' must show one text that begins with '**Answer.**'")
    return str(texts[0]).removeprefix("**Answer.** ").partition("\n\n")[0]


def finding_of(path: Path) -> str:
    """Return the sentence of a notebook's answer that states the finding."""
    sentences = re.split(r"(?<=[.!?]) (?=[A-Z`])", answer_of(read(path)))
    return sentences[SENTENCES.get(number_of(path), 0)]


def row_of(path: Path) -> str:
    """Return a notebook's row of the table."""
    return f"| [{number_of(path)} {title_of(read(path))}]({path.name}) | {finding_of(path)} |"


def answers_table() -> str:
    """Generate the table from all notebooks."""
    return "\n".join(["| question | finding |", "| --- | --- |", *map(row_of, NOTEBOOKS)])


def written_table() -> str:
    """Return the table that is currently on the page.

    Raises:
        ValueError: if the page does not have the table's markers.

    """
    found = BLOCK.search(PAGE.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{PAGE.name} needs the lines <!-- answers begins --> and <!-- answers ends -->")
    return found[1].strip()


def rewrite_table() -> None:
    """Regenerate the table on the page."""
    written_table()
    text = BLOCK.sub(lambda _: f"\n{answers_table()}\n\n", PAGE.read_text(encoding="utf-8"))
    write_whole(PAGE, text.encode())
