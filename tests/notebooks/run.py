"""Run notebooks from the command line.

    python -m tests.notebooks.run 03 06          with small settings; nothing is written
    python -m tests.notebooks.run 03 06 --full   with their full settings; their outputs are written

Without numbers, all notebooks are run. With ``--full``, each notebook is written when all its cells have
run, with the finding as the title of its main figure, and ``notebooks/README.md`` is rewritten at the end.
"""

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from nbclient.exceptions import CellExecutionError

from tests.notebooks.executing import NOTEBOOKS, SMALL, execute, number_of, read, with_settings
from tests.notebooks.table import entitle, rewrite_page, write


def run(path: Path, is_full: bool) -> None:
    """Run one notebook; with the full settings, also write it with its outputs."""
    notebook = read(path)
    if not is_full:
        execute(with_settings(notebook, SMALL[number_of(path)]))
        return
    execute(notebook)
    entitle(notebook)
    write(path, notebook)


def main(
    numbers: Annotated[list[str] | None, typer.Argument(help="The numbers of notebooks, such as 03.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Use their own settings, and write them.")] = False,
) -> None:
    """Run the notebooks that the command line selects."""
    known = [number_of(path) for path in NOTEBOOKS]
    unknown = [number for number in numbers or () if number not in known]
    if unknown:
        raise typer.BadParameter(f"no notebook {', '.join(unknown)}; there are {', '.join(known)}")
    failed = []
    for path in NOTEBOOKS:
        if numbers and number_of(path) not in numbers:
            continue
        begun = time.perf_counter()
        try:
            run(path, full)
        except CellExecutionError as error:
            print(f"{path.name}: failed, nothing was written\n{error}", file=sys.stderr)
            failed.append(path.name)
            continue
        print(f"{path.name}: {time.perf_counter() - begun:.0f} s", flush=True)
    if full:
        rewrite_page()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    typer.run(main)
