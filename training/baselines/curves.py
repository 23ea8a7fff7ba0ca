"""Plots of the baselines' learning curves as SVG."""

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, PercentFormatter, StrMethodFormatter

from .results import RunResult

COLORS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"),
    *("#332288", "#882255", "#999933", "#888888"),
)
"""The colors of the curves: those of Okabe and Ito and of Tol, which are suitable for people with color
blindness."""
LINES = ("-", "--", ":")
AXES = {"steps": "decisions or gradient steps", "minutes": "minutes of processor time"}
"""The labels of the horizontal axes, by field of `Curve`."""
STYLE: Any = {
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.spines.right": False,
    "axes.spines.top": False,
    "svg.fonttype": "none",  # keeps text as text instead of outlines
    "svg.hashsalt": "baselines",  # makes the file reproducible
}
MINUTE = 60.0


class Curve(NamedTuple):
    """The learning curve of one algorithm on one task: median, lowest and highest win rate over seeds."""

    algorithm: str
    steps: list[float]
    minutes: list[float]  # median processor times
    median: list[float]  # this and the following win rates in 0..1
    low: list[float]
    high: list[float]


def curve_of(results: Sequence[RunResult]) -> Curve:
    """Return one learning curve for all runs of an algorithm on a task, up to the end of the shortest run."""
    end = min(result.steps for result in results)
    steps = np.linspace(0, end, min(len(result.curve) for result in results))

    def interpolated(name: str) -> list[list[float]]:
        return [
            np.interp(steps, [p.steps for p in run.curve], [getattr(p, name) for p in run.curve]).tolist()
            for run in results
        ]

    shares, seconds = interpolated("win_share"), interpolated("cpu_seconds")
    return Curve(
        algorithm=results[0].algorithm,
        steps=steps.tolist(),
        minutes=(np.median(seconds, axis=0) / MINUTE).tolist(),
        median=np.median(shares, axis=0).tolist(),
        low=np.min(shares, axis=0).tolist(),
        high=np.max(shares, axis=0).tolist(),
    )


def look(number: int) -> dict[str, Any]:
    """Return the color and the style of the curve with this number; the colors repeat in another style."""
    return {
        "color": COLORS[number % len(COLORS)],
        "linestyle": LINES[number // len(COLORS) % len(LINES)],
    }


def draw(curves: Mapping[str, Sequence[Curve]], titles: Mapping[str, str]) -> str:
    """Draw one SVG image with two plots for each task: win rates over steps and over processor time."""
    looks = {name: look(number) for number, name in enumerate(titles)}
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(4 * len(curves), 7), layout="constrained")
        grid = figure.subplots(len(AXES), len(curves), sharey=True, squeeze=False)
        for column, (title, task_curves) in enumerate(curves.items()):
            grid[0, column].set_title(title)
            for axes, (axis, label) in zip(grid[:, column], AXES.items(), strict=True):
                for curve in task_curves:
                    style = looks[curve.algorithm]
                    trained = slice(1, None)  # a logarithmic axis cannot show the untrained agent at 0
                    across, low, high = getattr(curve, axis)[trained], curve.low[trained], curve.high[trained]
                    axes.plot(across, curve.median[trained], **style, label=titles[curve.algorithm])
                    axes.fill_between(across, low, high, color=style["color"], alpha=0.18, linewidth=0)
                axes.set(xlabel=label, xscale="log", ylim=(0, 1))
                axes.xaxis.set_major_formatter(
                    EngFormatter(sep="") if axis == "steps" else StrMethodFormatter("{x:g}")
                )
                axes.yaxis.set_major_formatter(PercentFormatter(1))
        for axes in grid[:, 0]:
            axes.set_ylabel("win rate")
        drawn = [axes.get_legend_handles_labels() for axes in grid[0]]
        handles = {label: handle for pair in drawn for handle, label in zip(*pair, strict=True)}
        names = [title for title in titles.values() if title in handles]
        figure.legend([handles[name] for name in names], names, loc="outside upper center", ncols=4)
        content = io.StringIO()
        figure.savefig(
            content, format="svg", metadata={"Date": None, "Creator": None, "Title": "Learning curves"}
        )
    return content.getvalue()
