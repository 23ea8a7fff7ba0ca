"""Generates the tables and the plot of `docs/exact_benchmark.md`."""

import io
import math
from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import scipy
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from pocketmars_agents.arena.statistics import t_interval
from pocketmars_agents.arena.text_table import TextTable
from pocketmars_env.core.files.writing import write_whole

from ..curves import MINUTE, STYLE, look
from .runs import ALGORITHMS, DECISIONS, GAMES, Run

PLOT = "exact_benchmark.svg"
"""The plot, next to the page."""
BEGIN, END = "<!-- small games: python -m training.baselines.small page -->", "<!-- small games end -->"
"""The lines before and after the generated part of the page."""
NONE = "–"


def write_page(results: Sequence[Run], page: Path) -> None:
    """Regenerate the tables on a page, and its plot."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"{page} must have the lines {BEGIN} and {END}")
    write_whole(page.parent / PLOT, plot(results).encode())
    write_whole(page, f"{before}{BEGIN}\n\n{tables(results)}\n\n{END}{after}".encode())


def runs_of(results: Sequence[Run], algorithm: str, game: str) -> list[Run]:
    """Return the runs of an algorithm on a small game with the default number of decisions, by seed."""
    total = ALGORITHMS[algorithm].decisions
    found = [run for run in results if (run.algorithm, run.game, run.total) == (algorithm, game, total)]
    return sorted(found, key=lambda run: run.seed)


def tables(results: Sequence[Run]) -> str:
    """Return the generated part of the page as Markdown."""
    details = ("<details markdown>\n<summary>Average strategies and times</summary>", "</details>")
    return "\n\n".join([ranking(results), details[0], details_table(results), details[1]])


def ranking(results: Sequence[Run]) -> str:
    """Return the table with the NashConv of all algorithms, sorted by their mean rank among the networks.

    Games without results do not count; an algorithm without results on another game has the last rank.
    """
    played = [game for game in GAMES if any(run.game == game for run in results)] or GAMES
    means = {
        name: [mean_nash_conv(runs_of(results, name, game)) for game in played]
        for name, algorithm in ALGORITHMS.items()
        if algorithm.decisions == DECISIONS
    }
    ranks = scipy.stats.rankdata(list(means.values()), axis=0).mean(axis=1)
    order = sorted(zip(ranks, means, strict=True))
    rows = [(ALGORITHMS[name].title, *cells_of(results, name), f"{rank:.1f}") for rank, name in order]
    rows += [
        (f"{algorithm.title}, {algorithm.decisions:,} decisions", *cells_of(results, name), NONE)
        for name, algorithm in ALGORITHMS.items()
        if algorithm.decisions != DECISIONS
    ]
    uniform = [
        f"{found[0].curve[0].nash_conv:.4f}" if (found := runs_of(results, "cfr_plus", game)) else NONE
        for game in GAMES
    ]
    rows.append(("uniform random", *uniform, NONE))
    return TextTable(("algorithm", *(f"`{game}`" for game in GAMES), "mean rank"), 1, tuple(rows)).markdown()


def cells_of(results: Sequence[Run], name: str) -> list[str]:
    return [cell(runs_of(results, name, game)) for game in GAMES]


def mean_nash_conv(runs: Sequence[Run]) -> float:
    """Return the mean over runs; infinite if there are none."""
    return float(np.mean([run.last.nash_conv for run in runs])) if runs else math.inf


def cell(runs: Sequence[Run]) -> str:
    """Return the mean NashConv over seeds, with its interval, and the number of seeds if there are few."""
    if not runs:
        return NONE
    values = [run.last.nash_conv for run in runs]
    if len(values) < 2:
        return f"{values[0]:.4f}" + (" (1 seed)" if ALGORITHMS[runs[0].algorithm].is_random else "")
    low, high = t_interval(values)
    return f"{np.mean(values):.3f} [{max(0.0, low):.3f}, {high:.3f}]" + (
        f" ({len(values)} seeds)" if len(values) < 5 else ""
    )


def details_table(results: Sequence[Run]) -> str:
    """Return the table with one row per game and algorithm."""
    columns = ("game", "algorithm", "seeds", "NashConv", "of the average", "processor minutes", "decisions/s")
    rows = []
    for game in GAMES:
        for name, algorithm in ALGORITHMS.items():
            runs = runs_of(results, name, game)
            if not runs:
                continue
            ends = [run.last for run in runs]
            seconds = float(np.mean([end.cpu_seconds for end in ends]))
            cells = (
                f"`{game}`",
                algorithm.title,
                ", ".join(str(run.seed) for run in runs),
                f"{np.mean([end.nash_conv for end in ends]):.4f}",
                f"{np.mean([end.average for end in ends]):.4f}",
                f"{seconds / MINUTE:.1f}",
                f"{np.mean([end.decisions for end in ends]) / seconds:,.0f}",
            )
            rows.append(cells)
    return TextTable(columns, 2, tuple(rows)).markdown()


def plot(results: Sequence[Run]) -> str:
    """Draw NashConv over decisions and over processor time, one column per game with results, as SVG."""
    games = [game for game in GAMES if any(run.game == game for run in results)]
    with mpl.rc_context(STYLE | {"svg.hashsalt": "small games"}):
        figure = Figure(figsize=(4 * max(2, len(games)), 7), layout="constrained")
        grid = figure.subplots(2, len(games), sharey=True, squeeze=False)
        for column, game in enumerate(games):
            grid[0, column].set_title(game)
            for number, (name, algorithm) in enumerate(ALGORITHMS.items()):
                runs = runs_of(results, name, game)
                if not runs:
                    continue
                count = min(len(run.curve) for run in runs)
                curves = [run.curve[1:count] for run in runs]
                values = np.array([[point.nash_conv for point in curve] for curve in curves])
                steps = np.mean([[point.decisions for point in curve] for curve in curves], axis=0)
                seconds = np.mean([[point.cpu_seconds for point in curve] for curve in curves], axis=0)
                for axes, across in zip(grid[:, column], (steps, seconds), strict=True):
                    style = look(number)
                    axes.plot(across, values.mean(axis=0), label=algorithm.title, **style)
                    low, high = values.min(axis=0), values.max(axis=0)
                    axes.fill_between(across, low, high, color=style["color"], alpha=0.18, linewidth=0)
            for axes, label in zip(grid[:, column], ("decisions", "seconds of processor time"), strict=True):
                axes.set(xlabel=label, xscale="log", yscale="log", ylim=(1e-3, 2))
            grid[0, column].xaxis.set_major_formatter(EngFormatter(sep=""))
        for axes in grid[:, 0]:
            axes.set_ylabel("NashConv")
        handles, names = grid[0, 0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=5)
        content = io.StringIO()
        metadata = {"Date": None, "Creator": None, "Title": "NashConv on small games"}
        figure.savefig(content, format="svg", metadata=metadata)
    return content.getvalue()
