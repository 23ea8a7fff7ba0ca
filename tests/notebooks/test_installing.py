"""The cell that installs the project, and notebooks in an environment with nothing but the project."""

import ast
import sys
import tomllib
from importlib.metadata import distributions, packages_distributions
from pathlib import Path
from typing import Any

import nbformat
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.core.processes import ROOT, environment_in
from tests.core.processes import run_installed as run
from tests.docs.repository import address
from tests.notebooks.executing import (
    FOLDER,
    INSTALL,
    NOTEBOOKS,
    SMALL,
    code_hash,
    number_of,
    read,
    tagged,
    with_settings,
)
from tests.notebooks.installing import with_install_cell

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


# --- what the extra installs ----------------------------------------------------------------------------


def names_imported(source: str) -> set[str]:
    """Return the top-level packages that a program imports."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in names}


def installed_with(extra: str) -> set[str]:
    """Return the distributions that an extra of this project installs, except those that are missing here."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = [Requirement(f"pocketmars-env[{extra}]"), *map(Requirement, project["dependencies"])]
    found = set[tuple[str, str]]()
    while waiting:
        needed = waiting.pop()
        name = canonicalize_name(needed.name)
        for extra in {"", *needed.extras} - {extra for known, extra in found if known == name}:
            found.add((name, extra))
            if name == "pocketmars-env":
                texts = project["optional-dependencies"].get(extra, ())
            else:
                texts = next((one.requires or () for one in distributions(name=name)), ())
            requirements = map(Requirement, texts)
            waiting += [
                one for one in requirements if not one.marker or one.marker.evaluate({"extra": extra})
            ]
    return {name for name, _ in found}


def test_the_extra_is_all_that_notebooks_import() -> None:
    sources = [path.read_text(encoding="utf-8") for path in FOLDER.glob("*.py")]
    sources += [cell.source for path in NOTEBOOKS for cell in read(path).cells if cell.cell_type == "code"]
    names = set().union(*map(names_imported, sources)) - sys.stdlib_module_names
    names -= {
        path.stem for path in (*FOLDER.glob("*.py"), *ROOT.glob("pocketmars_*"), *ROOT.glob("*/pocketmars_*"))
    }
    found, of_package = installed_with("notebooks"), packages_distributions()
    assert {"matplotlib", "torch"} <= names
    assert [name for name in names if not {*map(canonicalize_name, of_package[name])} & found] == []


# --- a new environment ----------------------------------------------------------------------------------


@pytest.fixture
def commands(tmp_path: Path) -> Path:
    """The folder of the commands of an environment without the project."""
    return environment_in(tmp_path / "venv")


def executed(notebook: Any, commands: Path, folder: Path) -> Any:
    """Return a notebook after executing it in an environment, in a folder of its own."""
    path = folder / "notebook.ipynb"
    nbformat.write(notebook, path)
    program = "from nbclient.cli import main; main()"
    run(commands / "python", "-c", program, "--inplace", path, folder=folder)
    return read(path)


@pytest.mark.slow
@pytest.mark.parametrize("number", ["01", "02", "03", "09", "11"])  # those that take at most 3 minutes
def test_a_notebook_runs_where_nothing_else_is(commands: Path, tmp_path: Path, number: str) -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    (path,) = (path for path in NOTEBOOKS if number_of(path) == number)
    notebook = with_settings(with_install_cell(read(path), ROOT.as_uri()), SMALL[number])
    executed(notebook, commands, tmp_path)
    where = run(
        commands / "python", "-c", "import pocketmars_env; print(pocketmars_env.__file__)", folder=tmp_path
    )
    assert Path(where.strip()).is_relative_to(commands.parent)
