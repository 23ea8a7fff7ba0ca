"""Plots of learning curves: win rates over decisions, for ``pocketmars plot``."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pocketmars_agents.arena.plots import COLORS, SETTINGS, matplotlib, save
from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.extras import imported
from pocketmars_env.core import gate

COLUMNS = 3
"""The maximum number of panels side by side."""


class Evaluation(gate.Record, frozen=True):
    """An entry of a run's history: the win shares in every matchup after some decisions."""

    decisions: int
    evaluation: dict[str, float]
    games: int


class Curve(NamedTuple):
    """A learning curve."""

    run: str  # the run folder or the CSV file, as given in the command
    panel: str  # what the rates are, such as a matchup; curves with the same panel share axes
    decisions: list[int]
    rates: list[float]  # win rates, 0..1
    games: list[int] | None  # per point, for the intervals; None if it is unknown


def curves_of(path: Path) -> Iterator[Curve]:
    """Yield the learning curves of a run folder, or of a CSV file with `decisions` and `win_rate` (in %)."""
    try:
        yield from curves_in_table(path) if path.is_file() else curves_in_folder(path)
    except OSError as error:
        raise ValueError(f"cannot read {path}: {error.strerror}") from error


def curves_in_folder(folder: Path) -> Iterator[Curve]:
    """Yield a curve for each matchup, from the newest checkpoint or from the policy of a finished run."""
    imported("torch", "reading a run needs PyTorch", "train")
    from pocketmars_training.common import checkpoints  # imports PyTorch, which CSV files do not need

    histories = [PolicyAgent(path).card.get("history", []) for path in folder.glob("*.onnx")]
    try:
        histories += [checkpoints.read(path).get("history", []) for path in checkpoints.kept(folder)[-1:]]
    except checkpoints.CheckpointError as error:
        raise ValueError(str(error)) from error
    history = gate.convert(max(histories, key=len, default=[]), list[Evaluation], f"the history in {folder}")
    if not history:
        raise ValueError(f"{folder} is not the folder of a training run with evaluations")
    for panel in dict.fromkeys(name for entry in history for name in entry.evaluation):
        points = [
            (entry.decisions, entry.evaluation[panel], entry.games)
            for entry in history
            if panel in entry.evaluation
        ]
        yield Curve(str(folder), f"evaluation: {panel}", *map(list, zip(*points)))


def curves_in_table(path: Path) -> Iterator[Curve]:
    """Yield one curve per seed of a CSV file such as ``examples/ppo.csv``."""
    try:
        with path.open(encoding="utf-8", newline="") as file:
            points = [
                (row.get("seed"), int(row["decisions"]), float(row["win_rate"]) / 100)
                for row in csv.DictReader(file)
            ]
        if not points:
            raise ValueError("no rows")
        for seed in dict.fromkeys(seed for seed, *_ in points):
            decisions, rates = zip(*(point[1:] for point in points if point[0] == seed))
            yield Curve(str(path), "games in training", list(decisions), list(rates), None)
    except (csv.Error, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} needs the columns decisions and win_rate, and numbers in them") from error


def plot_curves(path: Path, curves: Sequence[Curve]) -> None:
    """Write a plot with one panel per matchup and one color per run."""
    runs, panels = (list(dict.fromkeys(column)) for column in list(zip(*curves))[:2])
    columns = min(COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    with matplotlib().rc_context(SETTINGS):
        figure = matplotlib().figure.Figure(
            figsize=(2.0 + 3.0 * max(columns, 1.5), 0.8 + 2.6 * rows), layout="constrained"
        )
        grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes, panel in zip(grid.flat, panels):
            for curve in (curve for curve in curves if curve.panel == panel):
                draw_curve(axes, curve, COLORS[runs.index(curve.run) % len(COLORS)])
            axes.set_title(panel, loc="left", fontsize=10)
            axes.grid(color="#e0e0e0", lw=0.8)
            axes.set_ylim(0, 1)
            axes.tick_params(labelbottom=True)  # the panel below it may be missing
            axes.yaxis.set_major_formatter(matplotlib().ticker.PercentFormatter(1))
            axes.xaxis.set_major_formatter(matplotlib().ticker.EngFormatter(sep=""))
        for axes in list(grid.flat)[len(panels) :]:
            axes.remove()
        shaded = ", 95 % intervals shaded" if any(curve.games for curve in curves) else ""
        figure.supxlabel("decisions", fontsize=10)
        figure.supylabel(f"win rate{shaded}", fontsize=10)
        lines = [matplotlib().lines.Line2D([], [], color=color) for color, _ in zip(COLORS * len(runs), runs)]
        figure.legend(lines, runs, loc="outside upper left", ncols=min(3, len(runs)), frameon=False)
        save(figure, path)


def draw_curve(axes: Any, curve: Curve, color: str) -> None:
    """Draw a curve with its intervals, or as a thin line if the number of games is unknown."""
    if curve.games is None:
        axes.plot(curve.decisions, curve.rates, color=color, lw=0.9)
        return
    pairs = zip(curve.rates, curve.games, strict=True)
    low, high = zip(*(wilson_interval(rate * games, games) for rate, games in pairs))
    axes.vlines(curve.decisions, low, high, color=color, lw=0.8)
    axes.fill_between(curve.decisions, low, high, color=color, alpha=0.2, lw=0)
    axes.plot(curve.decisions, curve.rates, "o-", color=color, lw=1.5, ms=3)
