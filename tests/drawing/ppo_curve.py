"""The README's learning curves: ``python -m tests.drawing.ppo_curve`` runs the example with five seeds.

The results are written to ``examples/ppo.csv``, and the picture to ``docs/images/ppo.svg``. With
``--draw-only``, the picture is drawn from the existing results.
"""

import csv
import re
import subprocess
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[2]
RESULTS, PICTURE = ROOT / "examples" / "ppo.csv", ROOT / "docs" / "images" / "ppo.svg"
SEEDS = range(1, 6)
LINE = re.compile(r"([\d.]+) min, *([\d,]+) decisions: *([\d.]+)%")


def measure() -> None:
    rows = []
    for seed in SEEDS:
        command = [sys.executable, str(ROOT / "examples" / "ppo.py"), "--seed", str(seed)]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        for minutes, decisions, won in LINE.findall(printed):
            rows.append((seed, minutes, decisions.replace(",", ""), won))
        print(f"seed {seed}: {rows[-1][-1]} % after {rows[-1][1]} minutes", flush=True)
    with RESULTS.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("seed", "minutes", "decisions", "win_rate"), *rows])


def draw() -> None:
    with RESULTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    mpl.rcParams["svg.hashsalt"] = "ppo"  # the same file for the same results
    figure, axes = plt.subplots(figsize=(5, 2.6), layout="constrained")
    for seed in sorted({row["seed"] for row in rows}):
        own = [row for row in rows if row["seed"] == seed]
        axes.plot([float(row["minutes"]) for row in own], [float(row["win_rate"]) for row in own], lw=1.2)
    last = [[float(row["win_rate"]) for row in rows if row["seed"] == seed][-1] for seed in map(str, SEEDS)]
    axes.axhline(50, color="grey", lw=0.8)
    axes.set(xlabel="minutes on one core", ylabel="win rate (%)", ylim=(0, 80), xlim=(0, None))
    axes.set_title(f"Five seeds of examples/ppo.py; median at the end: {np.median(last):.0f} %", fontsize=10)
    figure.savefig(PICTURE, metadata={"Date": None})


if __name__ == "__main__":
    if "--draw-only" not in sys.argv:
        measure()
    draw()
