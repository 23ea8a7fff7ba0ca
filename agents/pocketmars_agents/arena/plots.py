"""Plots of estimates with 95 % intervals, as PNG, SVG or PDF files."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents.arena.statistics import Interval
from pocketmars_agents.extras import imported

SUFFIXES = (".png", ".svg", ".pdf")
COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The colors of Okabe and Ito, which people with any color vision can tell apart."""
MARKERS = "os^DvPX"
GREY = "#808080"
SETTINGS = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "pocketmars",
    "svg.fonttype": "none",
}
DOTS_PER_INCH = 150


class Point(NamedTuple):
    """An estimate in a plot."""

    row: str  # the label of its row, such as the name of a bot
    series: str  # the label of its color and marker; empty if there is only one
    value: float
    interval: Interval  # the 95 % interval; (NaN, NaN) if there is none
    is_hollow: bool = False
    text: str = ""  # to the right of the point


def check_plot(path: Path) -> None:
    """Raise a ValueError if a plot cannot be written to this file; commands call this before they play."""
    if path.suffix.lower() not in SUFFIXES:
        raise ValueError(f"the name of a plot ends with .png, .svg or .pdf, got {path}")
    if not path.parent.is_dir():
        raise ValueError(f"cannot write {path}: there is no folder {path.parent}")
    matplotlib()


def matplotlib() -> Any:
    """Import and return Matplotlib."""
    imported("matplotlib.figure", "plots need Matplotlib", "train")
    return imported("matplotlib", "plots need Matplotlib", "train")


def save(figure: Any, path: Path) -> None:
    """Write a figure; the same figure gives the same file."""
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else None
    try:
        figure.savefig(path, dpi=DOTS_PER_INCH, metadata=metadata)
    except OSError as error:
        raise ValueError(f"cannot write {path}: {error.strerror or error}") from error


def plot_points(
    path: Path, points: Sequence[Point], title: str, axis: str, rates: NDArray[np.float64] | None = None
) -> None:
    """Write a plot with one row per bot, from top to bottom, and one color and marker per series.

    `rates` are win rates of the rows' bots against each other, ``(rows, rows)``, for a heat map.
    """
    if not points:
        raise ValueError("no bot has a rating to plot")
    rows, series = (list(dict.fromkeys(column)) for column in list(zip(*points))[:2])
    with matplotlib().rc_context(SETTINGS):
        width = 0 if rates is None else 1 + 0.45 * len(rows)
        height = 1.4 + 0.17 * len(rows) * (1 + len(series))
        figure = matplotlib().figure.Figure(figsize=(7.5 + width, height), layout="constrained")
        grid = figure.add_gridspec(1, 2 if width else 1, width_ratios=[7.5, width] if width else None)
        axes = figure.add_subplot(grid[0])
        if rates is not None:
            draw_rates(figure.add_subplot(grid[1]), rates, rows)
        for k, name in enumerate(series):
            shown = [point for point in points if point.series == name]
            places = [rows.index(point.row) + (k + 1) / (len(series) + 1) - 0.5 for point in shown]
            draw_series(axes, shown, places, k)
        if len(series) > 1:
            figure.legend(loc="outside upper right", ncols=len(series), frameon=False)
        if min(point.value for point in points) < 0 < max(point.value for point in points):
            axes.axvline(0, color=GREY, lw=0.8, zorder=0)
        axes.set_yticks(range(len(rows)), rows)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.hlines([row + 0.5 for row in range(len(rows) - 1)], 0, 1, transform=axes.get_yaxis_transform(),
                    color="#e0e0e0", lw=0.8, zorder=0)  # fmt: skip
        axes.grid(axis="x", color="#e0e0e0", lw=0.8)
        axes.set_axisbelow(True)
        axes.tick_params(axis="y", length=0)
        axes.set_xlabel(axis)
        axes.set_title(title, loc="left", fontsize=11)
        save(figure, path)


def draw_series(axes: Any, points: Sequence[Point], places: Sequence[float], k: int) -> None:
    """Draw the points of series `k` with their intervals, at the given places from top to bottom."""
    color = COLORS[k % len(COLORS)]
    for point, place in zip(points, places, strict=True):
        axes.plot(point.interval, [place, place], color=color, lw=1.8, solid_capstyle="butt")
        axes.plot(point.value, place, MARKERS[k % len(MARKERS)], color=color, ms=4.5, mew=1.3, ls="",
                  mfc="white" if point.is_hollow else color)  # fmt: skip
        if point.text:
            right = max((point.value, *(end for end in point.interval if math.isfinite(end))))
            axes.annotate(
                point.text, (right, place), (8, 0), textcoords="offset points", va="center", fontsize=9
            )
    axes.plot([], [], MARKERS[k % len(MARKERS)], color=color, label=points[0].series)


def draw_rates(axes: Any, rates: NDArray[np.float64], bots: Sequence[str]) -> None:
    """Draw a heat map of the win rates in per cent, without its diagonal."""
    shown = 100 * np.where(np.eye(len(bots), dtype=bool), math.nan, rates)
    mean = np.nanmean(shown)  # the win rate of equal bots
    axes.imshow(shown, cmap="RdBu", vmin=0, vmax=2 * mean, aspect="auto")
    for (row, column), rate in np.ndenumerate(shown):
        if row != column:
            color = "white" if abs(rate - mean) > 0.6 * mean else "black"
            axes.text(column, row, f"{rate:.0f}", ha="center", va="center", color=color, fontsize=8)
    axes.set_xticks(range(len(bots)), bots, rotation=90)
    axes.set_yticks([])
    axes.set_title("win rate against (%)", loc="left", fontsize=11)
