"""Run notebooks from the command line.

    python -m tests.notebooks.run 03 06          with small settings; nothing is written
    python -m tests.notebooks.run 03 06 --full   with their full settings; their outputs are written

Without numbers, all notebooks are run. With ``--full``, each notebook is written when all its cells have
run, and the table of answers in ``notebooks/README.md`` is rewritten at the end.
"""

import argparse
import sys
import time
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError

from pocketmars_env.core.files.writing import write_whole
from tests.notebooks.executing import NOTEBOOKS, SMALL, execute, number_of, read, with_settings
from tests.notebooks.table import rewrite_table


def run(path: Path, is_full: bool) -> None:
    """Run one notebook; with the full settings, also write it with its outputs.

    Raises:
        CellExecutionError: if a cell fails; then nothing is written.

    """
    notebook = read(path)
    if not is_full:
        execute(with_settings(notebook, SMALL[number_of(path)]))
        return
    execute(notebook)
    write_whole(path, (nbformat.writes(notebook, indent=1) + "\n").encode())


def main() -> None:
    """Run the notebooks that the command line selects."""
    numbers = [number_of(path) for path in NOTEBOOKS]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("numbers", nargs="*", metavar="NUMBER", help=f"of: {', '.join(numbers)}")
    parser.add_argument("--full", action="store_true", help="with their own settings, and write them")
    options = parser.parse_args()
    unknown = [number for number in options.numbers if number not in numbers]
    if unknown:
        parser.error(f"there is no notebook {', '.join(unknown)}; there are {', '.join(numbers)}")
    failed = []
    for path in NOTEBOOKS:
        if options.numbers and number_of(path) not in options.numbers:
            continue
        begun = time.perf_counter()
        try:
            run(path, options.full)
        except CellExecutionError as error:
            print(f"{path.name}: failed, nothing was written\n{error}", file=sys.stderr)
            failed.append(path.name)
            continue
        print(f"{path.name}: {time.perf_counter() - begun:.0f} s", flush=True)
    if options.full:
        rewrite_table()
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
