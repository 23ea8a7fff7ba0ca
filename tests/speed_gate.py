"""Compare the speed of this checkout with that of an earlier commit, in interleaved runs.

    python -m tests.speed_gate
    python -m tests.speed_gate v0.3.0 --rounds 20 --only kernel --only env

Each round runs ``python -m pocketmars_env.speed`` once for each of the two, so that other load on the machine
affects both alike. The exit status is 1 if a measurement's interval of the ratio lies below 0.95.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from scipy import stats

ROOT = Path(__file__).parent.parent
LIMIT = 0.95
ROWS = ("kernel/mask", "kernel/observation", "game", "env", "vector")


def rates(checkout: Path, rows: Sequence[str], seconds: float) -> dict[str, float]:
    """Measure a checkout; return the decisions per second in the best round of each row."""
    options = ["--json", "--seconds", str(seconds), "--only", *rows]
    command = [sys.executable, "-m", "pocketmars_env.speed", *options]
    done = subprocess.run(command, cwd=checkout, check=True, stdout=subprocess.PIPE, text=True)
    return {name: max(values) for name, values in json.loads(done.stdout)["rows"].items() if values}


def ratio_of(after: Sequence[float], before: Sequence[float]) -> tuple[float, float, float]:
    """Return the geometric mean of the paired ratios, and its 95 % interval by Student's t."""
    logs = np.log(after) - np.log(before)
    half = stats.t.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / sqrt(len(logs))
    mean, low, high = np.exp([logs.mean(), logs.mean() - half, logs.mean() + half]).tolist()
    return mean, low, high


def main(
    commit: Annotated[str, typer.Argument(help="The commit to compare with.")] = "HEAD~1",
    rounds: int = 10,
    seconds: Annotated[float, typer.Option(help="Time per row and run.")] = 1.0,
    only: Annotated[list[str] | None, typer.Option(help="Rows of `python -m pocketmars_env.speed`.")] = None,
) -> None:
    """Measure both, print the ratios, and exit with status 1 if a measurement is slower."""
    git = ["git", "-C", str(ROOT), "worktree"]
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run([*git, "add", "-q", "--detach", str(before), commit], check=True)
        try:
            runs: dict[Path, list[dict[str, float]]] = {ROOT: [], before: []}
            for number in range(rounds):
                for checkout in (ROOT, before) if number % 2 else (before, ROOT):
                    runs[checkout].append(rates(checkout, only or ROWS, seconds))
        finally:
            subprocess.run([*git, "remove", "--force", str(before)], check=True)
    is_slower = False
    for row in sorted(runs[ROOT][0].keys() & runs[before][0].keys()):
        mean, low, high = ratio_of([run[row] for run in runs[ROOT]], [run[row] for run in runs[before]])
        is_slower |= high < LIMIT
        print(f"{row:32} {mean:.3f} [{low:.3f}, {high:.3f}]{'  slower' if high < LIMIT else ''}")
    sys.exit(is_slower)


if __name__ == "__main__":
    typer.run(main)
