"""Every notebook runs with small settings, and its stored outputs are from its code and full settings."""

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pocketmars_agents.games.pocket_mars.bots import POLICIES
from tests.notebooks.executing import (
    CODE_HASH,
    FOLDER,
    NOTEBOOKS,
    SMALL,
    code_hash,
    execute,
    number_of,
    read,
    settings_of,
    tagged,
    with_settings,
)
from tests.notebooks.table import (
    PAGE,
    SOURCE,
    THUMBNAIL_WIDTH,
    answer_of,
    answers_table,
    entitle,
    finding_of,
    main_figure,
    picture_of,
    plain,
    thumbnail_file,
    title_in,
    title_of,
)

NOTICE = re.compile(r"(Pocket|Project) Mars: compil")
LARGEST_NOTEBOOK, LARGEST_PICTURE, LARGEST_THUMBNAIL = 400_000, 80_000, 30_000
"""Size limits in bytes."""
UPDATE = "run python -m tests.notebooks.table"
each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=number_of)


def outputs_of(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", ())]


def text_of(output: Any) -> str:
    """Return all readable text of an output."""
    data = output.get("data", {})
    texts = [data[kind] for kind in data if kind.startswith("text/")]
    return "\n".join([output.get("text", ""), *map(str, texts), "\n".join(output.get("traceback", ()))])


def test_they_are_numbered_without_gaps() -> None:
    assert [number_of(path) for path in NOTEBOOKS] == [f"{i:02d}" for i in range(1, len(NOTEBOOKS) + 1)]
    assert set(SMALL) == set(map(number_of, NOTEBOOKS))


# --- what is in the repository ------------------------------------------------------------------------


@each_notebook
def test_the_outputs_are_those_of_the_code_as_it_stands(path: Path) -> None:
    notebook = read(path)
    assert notebook.metadata.get(CODE_HASH) == code_hash(notebook), (
        f"run it again: python -m tests.notebooks.run {number_of(path)} --full"
    )


@each_notebook
def test_the_outputs_come_from_the_full_settings_and_say_so(path: Path) -> None:
    notebook = read(path)
    printed = text_of(tagged(notebook, "settings").outputs[0]).strip()
    assert printed == ", ".join(f"{name} = {value!r}" for name, value in settings_of(notebook).items())


@each_notebook
def test_the_cells_were_executed_once_each_in_their_order(path: Path) -> None:
    cells = [cell for cell in read(path).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))


@each_notebook
def test_question_method_and_answer_are_there(path: Path) -> None:
    notebook = read(path)
    assert title_of(notebook).endswith("?")
    for part in ("**Question.** ", "**Method.** "):
        assert part in notebook.cells[0].source
    answer = answer_of(notebook)
    assert re.search(r"\d", answer), "the answer has no number"
    assert "nan" not in text_of(tagged(notebook, "answer").outputs[0])
    assert "[" in text_of(tagged(notebook, "answer").outputs[0]), "the answer has no interval"


@each_notebook
def test_texts_hold_no_result_that_was_typed_by_hand(path: Path) -> None:
    """Percentages and margins of error appear only in outputs, where code computed them."""
    texts = [cell.source for cell in read(path).cells if cell.cell_type == "markdown"]
    assert not re.findall(r"\d+(?:\.\d+)? ?%|[+±]\s?\d+\.\d+", "\n".join(texts))


@each_notebook
def test_outputs_have_no_warnings_errors_or_places_on_a_machine(path: Path) -> None:
    for output in outputs_of(read(path)):
        assert output.output_type != "error"
        assert output.get("name") != "stderr", output.text
        assert not re.search(r"Warning|Traceback|(?<![\w.])/(?:home|root|tmp|usr|work)/", text_of(output))


@each_notebook
def test_files_and_pictures_are_small(path: Path) -> None:
    assert path.stat().st_size <= LARGEST_NOTEBOOK
    for output in outputs_of(read(path)):
        picture = base64.b64decode(output.get("data", {}).get("image/png", ""))
        assert len(picture) <= LARGEST_PICTURE


@each_notebook
def test_the_finding_is_the_title_of_the_main_figure(path: Path) -> None:
    notebook = read(path)
    assert title_in(main_figure(notebook)) == plain(finding_of(notebook)), UPDATE


@each_notebook
def test_a_thumbnail_is_made_from_the_main_figure(path: Path) -> None:
    file = thumbnail_file(path)
    with Image.open(file) as thumbnail:
        assert thumbnail.info[SOURCE] == hashlib.sha256(picture_of(read(path))).hexdigest(), UPDATE
        assert thumbnail.width == THUMBNAIL_WIDTH
    assert file.stat().st_size <= LARGEST_THUMBNAIL


def test_the_page_s_table_is_made_from_the_notebooks() -> None:
    assert answers_table() in PAGE.read_text(encoding="utf-8"), UPDATE


def test_the_page_names_every_module() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{module.name}`" in page for module in FOLDER.glob("*.py"))


def test_curves_are_shown_for_all_shipped_policies() -> None:
    (learning,) = [path for path in NOTEBOOKS if number_of(path) == "08"]
    assert set(settings_of(read(learning))["POLICIES"]) == set(POLICIES)


# --- running ------------------------------------------------------------------------------------------


@pytest.mark.slow
@each_notebook
def test_it_runs_with_small_settings(path: Path) -> None:
    notebook = with_settings(read(path), SMALL[number_of(path)])
    execute(notebook)
    entitle(notebook)
    for output in outputs_of(notebook):
        if output.get("name") == "stderr":  # only notices about kernels that had to be compiled
            assert all(NOTICE.match(line) for line in output.text.splitlines()), output.text


def test_settings_that_a_notebook_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match=r"no settings \['TYPO'\]; it has"):
        with_settings(read(NOTEBOOKS[0]), {"TYPO": 1})
