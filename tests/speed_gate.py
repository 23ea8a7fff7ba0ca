"""Compare the speed of this checkout with that of an earlier commit, in interleaved runs.

    python -m tests.speed_gate
    python -m tests.speed_gate v0.3.0 --rounds 20 --only kernel env

Each round runs ``python -m pocketmars_env.speed`` once for each of the two, so that other load on the machine
affects both alike. The exit status is 1 if a measurement's interval of the ratio lies below 0.95.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from math import sqrt
from pathlib import Path

import numpy as np
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure both, print the ratios, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.speed_gate")
    parser.add_argument("commit", nargs="?", default="HEAD~1", help="the commit to compare with")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1.0, help="time per row and run")
    parser.add_argument("--only", nargs="+", default=ROWS, help="rows of `python -m pocketmars_env.speed`")
    options = parser.parse_args(arguments)
    git = ["git", "-C", str(ROOT), "worktree"]
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run([*git, "add", "-q", "--detach", str(before), options.commit], check=True)
        try:
            runs: dict[Path, list[dict[str, float]]] = {ROOT: [], before: []}
            for number in range(options.rounds):
                for checkout in (ROOT, before) if number % 2 else (before, ROOT):
                    runs[checkout].append(rates(checkout, options.only, options.seconds))
        finally:
            subprocess.run([*git, "remove", "--force", str(before)], check=True)
    is_slower = False
    for row in sorted(runs[ROOT][0].keys() & runs[before][0].keys()):
        mean, low, high = ratio_of([run[row] for run in runs[ROOT]], [run[row] for run in runs[before]])
        is_slower |= high < LIMIT
        print(f"{row:32} {mean:.3f} [{low:.3f}, {high:.3f}]{'  slower' if high < LIMIT else ''}")
    return int(is_slower)


if __name__ == "__main__":
    sys.exit(main())
