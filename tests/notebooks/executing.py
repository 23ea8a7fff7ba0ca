"""Executes notebooks with their full settings, or with small ones for tests."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

from pocketmars_agents.cli.precompile import compile_game
from pocketmars_env.core.game_spec import GAMES

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS_PER_CELL = 7_200
KERNEL = Config({"KernelManager": {"transport_encryption": "auto"}})
"""Encrypts the connection to the kernel against other users of the machine, where Jupyter supports it."""
CODE_HASH = "code_sha256"
"""The key of the notebook metadata that stores the hash of the code that produced the outputs."""
INSTALL = "install"
"""The tag of the cell that installs the project; see `installing.py`."""

SMALL: dict[str, dict[str, Any]] = {
    "01": {"DETERMINIZATIONS": 50, "RANDOM_GAMES": 20},
    "02": {"GAMES": 25},
    "03": {"GAMES": 30, "SEARCH_GAMES": 4},
    "04": {
        "TOTAL_TIMESTEPS": 1_000,
        "IMITATION_TIMESTEPS": 1_000,
        "EVAL_FREQ": 500,
        "N_EVAL_EPISODES": 10,
        "GAMES": 20,
    },
    "05": {"DEALS": 25, "SKILLS": ["random", "planner"], "PAIR_DEALS": 10},
    "06": {"RECORDED_GAMES": 60, "LEAST_SEATS": 2, "EXPERIMENTS": 1_000},
    "07": {"REPLAYED_DEALS": 1},
    "08": {
        "POLICIES": ["solo"],
        "GAMES": 20,
        "REPEATED": ["solo"],
        "SEEDS": [1, 2],
        "MORE_TIMESTEPS": 500,
        "N_ENVS": 64,
    },
    "09": {"GAMES": 12, "REVEALED": [0, 10]},
    "10": {
        "DEALS": {"random": 5, "planner": 5, "multi": 5, "ismcts:10": 3, "ismcts:100": 3},
        "POSITIONS": 3,
        "SEARCHES": ["ismcts"],
    },
    "11": {"PAIRS": [("greedy", "greedy")], "DEALS": 20, "REPEATS": 2, "RESAMPLES": 20},
    "12": {
        "BOTS": ["multi:sample"],
        "LEARNING_GAMES": 20,
        "TEST_GAMES": 10,
        "DETERMINIZATIONS": 40,
        "EPOCHS": 2,
    },
    "13": {"SIZES": [6, 12], "SEEDS": [1, 2], "GRADIENT_STEPS": 4, "BATCH_SIZE": 16, "GAMES": 10},
    "14": {"RESAMPLES": 50},
}
"""Small settings by notebook number, for tests that only check that the notebook runs."""


def read(path: Path) -> Any:
    """Read a notebook and validate it against the notebook format."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return notebook


def number_of(path: Path) -> str:
    """Return the number at the start of a notebook's file name."""
    return path.name.partition("_")[0]


def tagged(notebook: Any, tag: str) -> Any:
    """Return the only cell that has a tag."""
    found = [cell for cell in notebook.cells if tag in cell.metadata.get("tags", [])]
    if len(found) != 1:
        raise ValueError(f"one cell must have the tag {tag!r}, not {len(found)}")
    return found[0]


def settings_of(notebook: Any) -> dict[str, Any]:
    """Return the full settings: the variables that the cell with the tag ``parameters`` assigns."""
    names: dict[str, Any] = {}
    exec(tagged(notebook, "parameters").source, {}, names)
    return names


def with_settings(notebook: Any, settings: dict[str, Any]) -> Any:
    """Return a copy of the notebook with other values for some of its settings."""
    unknown = sorted(set(settings) - set(settings_of(notebook)))
    if unknown:
        raise ValueError(f"the notebook has no settings {unknown}; it has {sorted(settings_of(notebook))}")
    changed = nbformat.from_dict(notebook)
    lines = [f"{name} = {value!r}" for name, value in settings.items()]
    cell = tagged(changed, "parameters")
    cell.source = "\n".join([cell.source, *lines])
    return changed


def code_hash(notebook: Any) -> str:
    """Return the SHA-256 hash of all code cells except the one that installs, in hexadecimal."""
    digest = hashlib.sha256()
    for cell in notebook.cells:
        if cell.cell_type == "code" and INSTALL not in cell.metadata.get("tags", []):
            digest.update(cell.source.encode() + b"\0")
    return digest.hexdigest()


def execute(notebook: Any) -> None:
    """Execute all cells in a new kernel and store their outputs in the notebook.

    The kernel runs in a temporary folder that contains only the notebooks' modules and stored results.
    """
    for spec in GAMES.values():
        compile_game(spec)  # otherwise a cell would print the compile notice
    with tempfile.TemporaryDirectory() as folder:
        for file in (*FOLDER.glob("*.py"), *FOLDER.glob("*.json*")):
            shutil.copy(file, folder)
        client = NotebookClient(
            notebook,
            timeout=SECONDS_PER_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            record_timing=False,
            coalesce_streams=True,
            config=KERNEL,
        )
        paths = [
            *map(str, (ROOT, ROOT / "agents", ROOT / "training")),
            *filter(None, [os.environ.get("PYTHONPATH")]),
        ]
        client.execute(env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "TERM": "dumb"})
    for cell in notebook.cells:
        if "remove-output" in cell.metadata.get("tags", []):  # progress bars, which Rich shows as widgets
            cell.outputs = []
    notebook.metadata["language_info"] = {"name": "python"}  # without the Python version, not a result
    notebook.metadata[CODE_HASH] = code_hash(notebook)
