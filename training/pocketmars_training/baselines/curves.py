"""Plots of the baselines' learning curves as SVG."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from pocketmars_training.baselines.results import RunResult

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's colours, which people with colour blindness can tell apart."""
PLOT_WIDTH, PLOT_HEIGHT = 260, 180
LEFT, TOP, GAP_X, GAP_Y = 56, 84, 50, 60
LEGEND_COLUMNS, LEGEND_WIDTH = 4, 230
MINUTE = 60.0


class Curve(NamedTuple):
    """The learning curve of one algorithm: median, lowest and highest win share over seeds.

    Attributes:
        algorithm: the algorithm's name.
        steps, minutes: the number of steps and the minutes of processor time at each point of the curve.
        median, low, high: win shares, 0..1.

    """

    algorithm: str
    steps: list[float]
    minutes: list[float]
    median: list[float]
    low: list[float]
    high: list[float]


def curve_of(results: Sequence[RunResult]) -> Curve:
    """Return the curve of an algorithm's runs on a task, up to the end of the shortest run."""
    end = min(result.steps for result in results)
    steps = np.linspace(0, end, min(len(result.curve) for result in results))

    def interpolated(name: str) -> list[list[float]]:
        return [
            np.interp(steps, [p.steps for p in one.curve], [getattr(p, name) for p in one.curve]).tolist()
            for one in results
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


def draw(curves: Mapping[str, Sequence[Curve]], titles: Mapping[str, str], names: Sequence[str]) -> str:
    """Draw one SVG image with two plots for each task: win shares over steps and over processor time.

    Args:
        curves: the curves, by task title.
        titles: the titles of the algorithms, by algorithm name.
        names: the names of all algorithms; their order determines the colours.

    """
    colors = dict(zip(names, COLORS, strict=False))
    parts = []
    for column, (title, own) in enumerate(curves.items()):
        x = LEFT + column * (PLOT_WIDTH + GAP_X)
        parts.append(text(x + PLOT_WIDTH / 2, TOP - 10, title, "middle", 13))
        for row, axis in enumerate(("steps", "minutes")):
            y = TOP + row * (PLOT_HEIGHT + GAP_Y)
            parts.append(plot(x, y, own, axis, colors))
    shown = [name for name in names if any(one.algorithm == name for own in curves.values() for one in own)]
    for place, name in enumerate(shown):
        x, y = LEFT + place % LEGEND_COLUMNS * LEGEND_WIDTH, 22 + place // LEGEND_COLUMNS * 20
        parts.append(f'<path d="M{x} {y}h18" stroke="{colors[name]}" stroke-width="3"/>')
        parts.append(text(x + 24, y + 4, titles[name], "start", 12))
    width = LEFT + len(curves) * (PLOT_WIDTH + GAP_X)
    height = TOP + 2 * (PLOT_HEIGHT + GAP_Y)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}"'
        ' font-family="DejaVu Sans, Verdana, sans-serif" role="img"><title>Learning curves of the baselines'
        f'</title><rect width="{width}" height="{height}" fill="#fff"/>{"".join(parts)}</svg>\n'
    )


def plot(x: float, y: float, curves: Sequence[Curve], axis: str, colors: Mapping[str, str]) -> str:
    """Draw one plot with its axes; `axis` is ``"steps"`` or ``"minutes"``."""
    most = max((getattr(one, axis)[-1] for one in curves), default=1.0) or 1.0
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        height = y + PLOT_HEIGHT * (1 - share)
        parts.append(f'<path d="M{x} {height}h{PLOT_WIDTH}" stroke="#ddd"/>')
        parts.append(text(x - 6, height + 4, f"{share:.0%}", "end"))
    for share in (0.0, 0.5, 1.0):
        label = amount(most * share)
        parts.append(text(x + PLOT_WIDTH * share, y + PLOT_HEIGHT + 15, label, "middle"))
    caption = "decisions or gradient steps" if axis == "steps" else "minutes of processor time"
    parts.append(text(x + PLOT_WIDTH / 2, y + PLOT_HEIGHT + 31, caption, "middle"))
    for one in curves:
        across = [x + PLOT_WIDTH * value / most for value in getattr(one, axis)]
        median, low, high = (
            [f"{a:.1f} {y + PLOT_HEIGHT * (1 - share):.1f}" for a, share in zip(across, shares)]
            for shares in (one.median, one.low, one.high)
        )
        color = colors[one.algorithm]
        parts.append(f'<path d="M{" L".join([*low, *high[::-1]])}Z" fill="{color}" fill-opacity=".18"/>')
        parts.append(f'<path d="M{" L".join(median)}" fill="none" stroke="{color}" stroke-width="2"/>')
    return "".join(parts)


def amount(value: float) -> str:
    """Format a number with at most one decimal, such as "1.5M" or "20k"."""
    for unit, suffix in ((1e6, "M"), (1e3, "k"), (1.0, "")):
        if value >= unit:
            return f"{value / unit:.1f}".removesuffix(".0") + suffix
    return f"{value:.1f}".removesuffix(".0")


def text(x: float, y: float, content: str, anchor: str, size: int = 11) -> str:
    """Return an SVG text element."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="#333">'
        f"{escape(content)}</text>"
    )
