"""Register the games of this project, and run an OpenSpiel script, which does not import this package."""

import runpy
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

EXAMPLES = "open_spiel.python.examples"
USAGE = f"""usage: python -m pocketmars_env.adapters.open_spiel SCRIPT [FLAGS ...]

SCRIPT is a Python file, or the name of a module in {EXAMPLES}, such as mcts.
FLAGS are those of the script; --help after SCRIPT lists them."""


def main(arguments: Sequence[str]) -> None:
    """Run a script as ``__main__``."""
    if not arguments or arguments[0].startswith("-"):
        raise SystemExit(USAGE)
    script, *flags = arguments
    sys.argv = [script, *flags]
    module = f"{EXAMPLES}.{script}"
    if Path(script).is_file():
        runpy.run_path(script, run_name="__main__")
    elif script.isidentifier() and find_spec(module) is not None:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    else:
        raise SystemExit(f"there is no file and no module of {EXAMPLES} named {script!r}\n\n{USAGE}")


if __name__ == "__main__":
    main(sys.argv[1:])
