"""The first code cell of every notebook, which installs the project if it is missing.

    python -m tests.notebooks.installing    writes this cell into all notebooks

The cell depends only on the address of the repository in ``pyproject.toml``. Without an address, the cell
prints how to install the project from a clone.
"""

from typing import Any

import nbformat

from tests.docs.repository import address
from tests.notebooks.executing import INSTALL, NOTEBOOKS, read
from tests.notebooks.table import write

FIND = '__import__("importlib.util").util.find_spec'


def install_line(url: str) -> str:
    """Return the code of the cell, an expression that has no value if the project is installed."""
    if not url:
        text = "pip install -c constraints.txt -e '.[notebooks]' in a clone installs what this notebook needs"
        return f'None if {FIND}("pocketmars_env") else print("{text}")  # fmt: skip'
    # The module `estimates` is beside the notebooks, and not in the package.
    commands = (
        f"!git clone -q --depth 1 {url} clone\n%pip install -q ./clone[notebooks]\n%cd -q clone/notebooks"
    )
    return f'None if {FIND}("estimates") else get_ipython().run_cell({commands!r})  # fmt: skip'


def with_install_cell(notebook: Any, url: str) -> Any:
    """Return a copy of a notebook with the cell, numbered as if all code cells had been executed in order."""
    changed = nbformat.from_dict(notebook)
    changed.cells = [cell for cell in changed.cells if INSTALL not in cell.metadata.get("tags", [])]
    cell = nbformat.v4.new_code_cell(install_line(url), id=INSTALL, metadata={"tags": [INSTALL]})
    changed.cells.insert(1, cell)
    code_cells = [cell for cell in changed.cells if cell.cell_type == "code"]
    for number, cell in enumerate(code_cells, start=1):
        for numbered in (cell, *(output for output in cell.outputs if "execution_count" in output)):
            numbered["execution_count"] = number
    return changed


if __name__ == "__main__":
    for path in NOTEBOOKS:
        write(path, with_install_cell(read(path), address()))
