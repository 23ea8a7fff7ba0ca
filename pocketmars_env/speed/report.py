"""The benchmark results, as plain data and as Markdown tables."""

import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from statistics import median
from typing import Any

from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.version import __version__
from pocketmars_env.speed.timing import ROUNDS, Row, is_within

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "sb3-contrib", "open_spiel")
RATE = "{:,.0f} decisions/s"
FIGURES = (
    ("kernel, mask / OpenSpiel hanabi, mask + observation",
     "{:,.2f}", "kernel/mask/*", "open_spiel/hanabi/observation"),
    ("kernel, mask + observation / OpenSpiel hanabi, mask + observation",
     "{:,.2f}", "kernel/observation/*", "open_spiel/hanabi/observation"),
    ("kernel, mask / OpenSpiel hanabi, mask", "{:,.2f}", "kernel/mask/*", "open_spiel/hanabi/mask"),
    ("raw_env() / PettingZoo connect_four, raw", "{:,.2f}", "raw_env/*", "connect_four/raw_env"),
    ("env() / empty environment in the same wrappers", "{:,.2f}", "env/*", "empty/env"),
    ("kernel, rules + mask", RATE, "kernel/mask/*", ""),
    ("kernel, rules + mask + observation", RATE, "kernel/observation/*", ""),
    ("kernel, rules + mask + observation in uint8", RATE, "kernel/uint8/*", ""),
    ("kernel, observation in uint8 / in float32, 4,096 games",
     "{:.2f}", "kernel/uint8/*/4096", "kernel/observation/*/4096"),
    ("2 threads / 1 thread, rules + mask + observation", "{:.2f}", "games/2_threads/*", "games/1_threads/*"),
    ("raw_env()", RATE, "raw_env/*", ""),
    ("vector environment, random masked actions", RATE, "vector", ""),
    ("MaskablePPO.learn", RATE, "learn/*", ""),
    ("environment's share of MaskablePPO.learn", "{:.1%}", "learn/*", "sb3_vec_env/*"),
    ("new process that makes one step of env()", "{:.2f} s", "", "first_step"),
)  # fmt: skip
"""The figures in the summary: each has a name, a number format, and two prefixes of row names.

A figure is the rate of the row that matches the first prefix, divided by the rate of the row that matches the
second prefix. If several rows match a prefix, the fastest row is used. An empty prefix stands for the rate 1.
An asterisk in a prefix is replaced with the name of the game's first measured configuration.
"""


def result_of(
    spec: GameSpec, rows: Sequence[Row], rates: Mapping[str, Sequence[float]], seconds: float
) -> dict[str, Any]:
    """Return the benchmark results as JSON-serializable data."""
    return {
        "about": about(spec, rows, seconds),
        "rows": {row.name: rates.get(row.name) for row in rows},
        "figures": figures(spec, rates),
    }


def about(spec: GameSpec, rows: Sequence[Row], seconds: float) -> list[str]:
    """Return paragraphs on versions, on the method, and on how to install missing packages."""
    versions = [f"pocketmars_env {__version__}", f"python {platform.python_version()}"]
    versions += [f"{package} {version_of(package)}" for package in PACKAGES]
    missing = dict.fromkeys((row.module, row.package) for row in rows if not row.is_installed)
    return [
        ", ".join(versions),
        "In most rows, one process with one thread plays random legal actions, and the time includes "
        "starting new games. In kernel rows and in the GPU rows cuda/play, one call plays many steps in all "
        "games and also chooses the actions. In the other rows, Python calls the environment for every "
        "step, and the time includes the choice of the action.",
        f"The figures are for the configuration `{next(iter(spec.config.measured()))}`; where rows "
        "differ only in the number of parallel games, the fastest is used.",
        f"The rows were measured in turn, in {ROUNDS} rounds, for {seconds:g} s per row in total; the best "
        "round of each row counts. Times are processor times; for new processes and for rows with threads or "
        "a GPU, they are wall-clock times.",
        *([] if IS_COMPILED else ["NUMBA_DISABLE_JIT is set: the rules run as plain Python."]),
        *(f"Not installed: {module}; pip install {package} adds its rows." for module, package in missing),
    ]


def version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def figures(spec: GameSpec, rates: Mapping[str, Sequence[float]]) -> list[tuple[str, str]]:
    """Return the name and the formatted value of each figure."""
    config_name = next(iter(spec.config.measured()))

    def best(beginning: str) -> float:
        if not beginning:
            return 1.0
        prefix = beginning.replace("*", config_name)
        return max((max(rates[name]) for name in rates if is_within(name, prefix)), default=0.0)

    values = {}
    for name, form, dividend, divisor in FIGURES:
        numerator, denominator = best(dividend), best(divisor)
        values[name] = form.format(numerator / denominator) if numerator and denominator else "not measured"
    values["state of a game"] = f"{spec.state.itemsize:,} bytes"
    return list(values.items())


def rows_table(result: Mapping[str, Any]) -> str:
    """Return a Markdown table of the rows."""
    lines = [("row", "decisions/s", "ns/decision", "median/best")]
    for name, rates in result["rows"].items():
        if rates is None:
            lines.append((name, "not installed", "", ""))
        else:
            best = max(rates)
            lines.append((name, f"{best:,.0f}", f"{1e9 / best:,.0f}", f"{median(rates) / best:.2f}"))
    return markdown(lines)


def figures_table(result: Mapping[str, Any]) -> str:
    """Return a Markdown table of the figures."""
    return markdown([("figure", "value"), *result["figures"]])


def markdown(lines: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table with padded cells: names in the first column, numbers in the other columns."""
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    rule = ["-" * first, *("-" * (width - 1) + ":" for width in others)]
    return "\n".join(
        f"| {' | '.join([name.ljust(first), *map(str.rjust, numbers, others)])} |"
        for name, *numbers in (lines[0], rule, *lines[1:])
    )
