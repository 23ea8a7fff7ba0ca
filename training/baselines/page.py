"""Generates the tables and learning curves of `training/BASELINES.md` from the result files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pocketmars_agents.arena.statistics import bootstrap_interval
from pocketmars_agents.arena.text_table import TextTable, bounds, percent
from pocketmars_env.core.files.writing import write_whole
from pocketmars_training.common.training_spec import Task

from .algorithms import ALGORITHMS
from .cross_play import CrossPlay, sections
from .curves import curve_of, draw
from .results import ResultError, RunResult

PLOT = "curves.svg"
MINUTE = 60.0
FEWEST_SEEDS = 3
NONE = "–"

BEGIN, END = "<!-- results: python -m training.baselines page -->", "<!-- results end -->"
CROSS_PLAY_BEGIN, CROSS_PLAY_END = (
    BEGIN.replace("results", "cross-play"),
    END.replace("results", "cross-play"),
)
"""The lines before and after the generated parts of the page."""


def write_page(
    results: Sequence[RunResult],
    tasks: Mapping[str, Task],
    page: Path,
    folder: Path,
    cross_plays: Sequence[CrossPlay] = (),
) -> None:
    """Regenerate the tables on a page, and the plots in `folder`."""
    check_results(results, tasks)
    parts = {(BEGIN, END): tables(results, tasks)}
    if cross_plays:
        parts[CROSS_PLAY_BEGIN, CROSS_PLAY_END] = sections(cross_plays)
    text = page.read_text(encoding="utf-8")
    for (first, last), part in parts.items():
        before, begin, rest = text.partition(first)
        _, end, after = rest.partition(last)
        if not (begin and end):
            raise ValueError(f"{page} must have the lines {first} and {last}")
        text = f"{before}{first}\n\n{part}\n\n{last}{after}"
    write_whole(folder / PLOT, plot(results, tasks).encode())
    for result in cross_plays:
        result.plot(folder)
    write_whole(page, text.encode())


def check_results(results: Sequence[RunResult], tasks: Mapping[str, Task]) -> None:
    """Raise a ResultError if a result's algorithm or task is unknown or its matchups are not the task's."""
    for result in results:
        if result.algorithm not in ALGORITHMS or result.task not in tasks:
            raise ResultError(
                f"unknown algorithm or task: there is a result for {result.algorithm!r} on {result.task!r}"
            )
        expected = [matchup.name for matchup in tasks[result.task].matchups]
        if sorted(result.final) != sorted(expected):
            raise ResultError(
                f"the result of {result.algorithm} on {result.task} with seed {result.seed} is for the "
                f"matchups {', '.join(result.final)}, not {', '.join(expected)}"
            )


def plot(results: Sequence[RunResult], tasks: Mapping[str, Task]) -> str:
    """Return the learning curves as SVG."""
    curves = {
        task.title: [curve_of(runs) for name in ALGORITHMS for runs in runs_of(results, name, task.name)[-1:]]
        for task in tasks.values()
    }
    return draw(curves, {name: algorithm.title for name, algorithm in ALGORITHMS.items()})


def tables(results: Sequence[RunResult], tasks: Mapping[str, Task]) -> str:
    """Return the generated part of the page: all tables and their headings, as Markdown."""
    return "\n\n".join(f"### {task.title}\n\n{task_table(results, task)}" for task in tasks.values())


def runs_of(results: Sequence[RunResult], algorithm: str, task: str) -> list[list[RunResult]]:
    """Return the runs of an algorithm on a task: one list per run length, shortest first, sorted by seed."""
    runs = [result for result in results if (result.algorithm, result.task) == (algorithm, task)]
    lengths = sorted({result.total_steps for result in runs})
    return [
        sorted((run for run in runs if run.total_steps == length), key=lambda run: run.seed)
        for length in lengths
    ]


def task_table(results: Sequence[RunResult], task: Task) -> str:
    """Return the results table for a task as Markdown; algorithms without runs are shown as "not run"."""
    opponents = [matchup.name for matchup in task.matchups]
    columns = ["algorithm", "steps", "seeds", *[f"wins against `{name}`" for name in opponents]]
    columns += ["handicap rating"] if task.rating else []
    columns += ["minutes", "processor minutes", "steps per processor second"]
    rows = []
    for name, algorithm in ALGORITHMS.items():
        if not algorithm.supports(task):
            continue
        for runs in runs_of(results, name, task.name):
            rows.append((algorithm.title, *cells_of(runs, opponents, task.rating is not None)))
        if not any(row[0] == algorithm.title for row in rows):
            rows.append((algorithm.title, "not run", *[NONE] * (len(columns) - 2)))
    return TextTable(tuple(columns), 1, tuple(rows)).markdown()


def cells_of(runs: Sequence[RunResult], opponents: Sequence[str], has_rating: bool) -> list[str]:
    """Return the cells of an algorithm's row, without the first cell, which contains the title."""
    steps, first = min(run.steps for run in runs), runs[0]
    is_short = steps < ALGORITHMS[first.algorithm].steps
    cells = [f"{steps:,} {first.unit}" + (" (short)" if is_short else "")]
    cells.append(", ".join(str(run.seed) for run in runs) + (" (few)" if len(runs) < FEWEST_SEEDS else ""))
    for opponent in opponents:
        shares = [run.final[opponent] for run in runs]
        cells.append(percent(float(np.median(shares)), bootstrap_interval(shares, np.median)))
    if has_rating:
        cells.append(rating_cell([run.handicap_rating for run in runs if run.handicap_rating is not None]))
    ends = [run.curve[-1] for run in runs]
    cells.append(f"{np.median([end.wall_seconds for end in ends]) / MINUTE:.1f}")
    cells.append(f"{np.median([end.cpu_seconds for end in ends]) / MINUTE:.1f}")
    cells.append(f"{np.median([end.steps / end.cpu_seconds for end in ends if end.cpu_seconds > 0]):,.0f}")
    return cells


def rating_cell(ratings: Sequence[float]) -> str:
    """Return the median handicap rating with its interval as text.

    Handicaps are at least 0, so a median below 0 is an extrapolation and is shown as "< 0".
    """
    median, (low, high) = np.median(ratings), bootstrap_interval(ratings, np.median)
    return "< 0" if median < 0 else f"{median:.2f}{bounds(f'{low:.2f}', f'{high:.2f}')}"
