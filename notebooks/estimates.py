"""Estimates with 95 % intervals, as text and in plots, for the notebooks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
import numpy as np
from cycler import cycler

from pocketmars_agents.arena.statistics import bootstrap_interval, mean, t_interval, wilson_interval
from pocketmars_agents.arena.text_table import percent, signed

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
"""Six colors of the Okabe-Ito palette, which color-blind people can distinguish."""
MARKERS = "os^Dv*"


def use_style() -> None:
    """Set Matplotlib's defaults, such as `COLOURS` and a low resolution, which keeps files small."""
    mpl.rcParams.update(
        {
            "axes.prop_cycle": cycler(color=COLOURS),
            "axes.spines.right": False,
            "axes.spines.top": False,
            "figure.constrained_layout.use": True,
            "figure.dpi": 80,
            "figure.figsize": (8.0, 3.6),
            "font.size": 10,
            "legend.frameon": False,
        }
    )


@dataclass(frozen=True)
class Estimate:
    """A measured number with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def percent(self) -> str:
        """The estimate as a percentage, such as "79.2 % [78.0, 80.3]"."""
        return percent(self.value, (self.low, self.high))

    @property
    def points(self) -> str:
        """The estimate, a difference of shares, in percentage points, such as "+3.1 [+2.0, +4.2]"."""
        return signed(100 * self.value, (100 * self.low, 100 * self.high), 1)

    def signed(self, digits: int = 2) -> str:
        """Return the estimate as a difference, such as "+2.83 [+2.73, +2.93]"."""
        return signed(self.value, (self.low, self.high), digits)

    def excludes(self, value: float) -> bool:
        """Whether a value lies outside the interval."""
        return not self.low <= value <= self.high


def share(successes: float, trials: int) -> Estimate:
    """Return a rate with its Wilson interval; `successes` may be fractional, see `wilson_interval`."""
    return Estimate(successes / trials, *wilson_interval(successes, trials))


def average(values: Sequence[float]) -> Estimate:
    """Return a mean with its bootstrap interval; `values` has one value per deal."""
    return Estimate(mean(values), *bootstrap_interval(values))


def average_of_seeds(values: Sequence[float]) -> Estimate:
    """Return a mean with its Student t interval; `values` has one value for each of at least two seeds."""
    return Estimate(mean(values), *t_interval(values))


def draw_estimates(
    axes: Any,
    places: Sequence[float],
    estimates: Sequence[Estimate],
    label: str,
    number: int = 0,
    **style: Any,
) -> None:
    """Draw estimates at places on the x axis as points with error bars.

    `number`, 0 to 5, is that of the series, which selects its color and marker; `style` are further arguments
    for ``axes.errorbar``.
    """
    values = np.array([estimate.value for estimate in estimates])
    lows = values - [estimate.low for estimate in estimates]
    highs = np.array([estimate.high for estimate in estimates]) - values
    look = {"fmt": MARKERS[number], "color": COLOURS[number], "capsize": 3, "markersize": 5, **style}
    axes.errorbar(places, values, yerr=(np.maximum(lows, 0), np.maximum(highs, 0)), label=label, **look)


def spread(series: int, number: int, width: float = 0.6) -> float:
    """Return the horizontal offset of the given one of several series, so that their points do not overlap.

    `width` is the distance between the first and the last series.
    """
    return 0.0 if series == 1 else width * (number / (series - 1) - 0.5)


def markdown_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Return a Markdown table; all columns except the first are right-aligned."""
    lines = [columns, ["---", *["---:"] * (len(columns) - 1)], *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
