"""The cell that installs the project, and notebooks in an environment with nothing but the project."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.docs.repository import address
from tests.notebooks.executing import (
    FOLDER,
    INSTALL,
    NOTEBOOKS,
    QUICK,
    ROOT,
    SMALL,
    code_hash,
    number_of,
    read,
    tagged,
    with_settings,
)
from tests.notebooks.installing import install_line, with_install_cell
from tests.notebooks.table import answer_of

ADDRESS = "https://example.org/pocketmars"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=number_of)
def test_the_first_code_cell_installs_the_project(path: Path) -> None:
    notebook = read(path)
    assert notebook == with_install_cell(notebook, address()), (
        "write the cells: python -m tests.notebooks.installing"
    )


def test_the_cell_follows_the_address_and_changes_nothing_else() -> None:
    notebook = read(NOTEBOOKS[0])
    published = with_install_cell(notebook, ADDRESS)
    assert ADDRESS in tagged(published, INSTALL).source
    assert code_hash(published) == code_hash(notebook)
    assert with_install_cell(published, "") == with_install_cell(notebook, "")


# --- a new environment ----------------------------------------------------------------------------------


def run(*command: str | Path, folder: Path) -> str:
    """Run a command that imports nothing from this clone; return its output."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the project with its extra `notebooks`; return the folder of the environment's commands."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder / "venv", with_pip=True)
    commands = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    project = (f"{ROOT}[notebooks]", "-c", ROOT / "constraints.txt")
    run(commands / "pip", "install", "-q", *project, folder=folder)
    return commands


def executed(notebook: Any, commands: Path, folder: Path) -> Any:
    """Return a notebook after executing it in an environment, in a folder of its own."""
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    run(commands / "jupyter-execute", "--inplace", path, folder=folder)
    return read(path)


@pytest.mark.slow
@pytest.mark.parametrize("number", QUICK)
def test_the_extra_is_all_that_a_notebook_needs(number: str, commands: Path, tmp_path: Path) -> None:
    (path,) = [path for path in NOTEBOOKS if number_of(path) == number]
    for module in FOLDER.glob("*.py"):
        shutil.copy(module, tmp_path)
    assert answer_of(executed(with_settings(read(path), SMALL[number]), commands, tmp_path))


@pytest.mark.slow
def test_the_cell_installs_the_project_where_only_the_notebook_is(commands: Path, tmp_path: Path) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    run(commands / "pip", "uninstall", "-q", "-y", "pocketmars-env", folder=tmp_path)
    sources = [install_line(ROOT.as_uri()), "import estimates\nimport pocketmars_agents"]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, sources)))
    executed(notebook, commands, tmp_path)
    where = run(
        commands / "python", "-c", "import pocketmars_env; print(pocketmars_env.__file__)", folder=tmp_path
    )
    assert Path(where.strip()).is_relative_to(commands.parent)
