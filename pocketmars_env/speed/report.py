"""What the benchmark prints."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from rich import box
from rich.table import Table

from pocketmars_env import __version__
from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.games.pocket_mars.rules.state import STATE
from pocketmars_env.speed.learning import EPOCHS
from pocketmars_env.speed.playing import Row
from pocketmars_env.speed.timing import ROUNDS, Speed

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "sb3-contrib", "open_spiel")
NOT_MEASURED = "not measured"
NOT_INSTALLED = "not installed"


@dataclass(frozen=True)
class Comparison:
    """How many times as fast the best of some rows is as another; names as for `--only`."""

    title: str
    ours: str
    peer: str
    aim: float | None = None


COMPARISONS = (
    Comparison("kernel, mask / OpenSpiel hanabi, mask + observation",
               "kernel/mask/2p", "open_spiel/hanabi/observation", 50),
    Comparison("kernel, mask + observation / OpenSpiel hanabi, mask + observation",
               "kernel/observation/2p", "open_spiel/hanabi/observation", 20),
    Comparison("kernel, mask / OpenSpiel hanabi, mask", "kernel/mask/2p", "open_spiel/hanabi/mask"),
    Comparison("raw_env() / PettingZoo connect_four, raw", "raw_env/2p", "connect_four/raw_env", 5),
    Comparison("env() / empty environment in the same wrappers", "env/2p", "empty/env", 0.8),
)  # fmt: skip


@dataclass(frozen=True)
class Sheet:
    """A table: the first column holds names, the others numbers."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]

    def as_rich(self) -> Table:
        table = Table(box=box.SIMPLE)
        for number, column in enumerate(self.columns):
            table.add_column(column, justify="right" if number else "left", no_wrap=True)
        for row in self.rows:
            table.add_row(*row)
        return table

    def as_markdown(self) -> str:
        rules = ("---", *["---:"] * (len(self.columns) - 1))
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.columns, rules, *self.rows))


def is_within(name: str, prefix: str) -> bool:
    """Whether a row's name is `prefix` or begins with its parts."""
    return name == prefix or name.startswith(f"{prefix}/")


def heading(seconds: float) -> list[str]:
    """The versions, and how the numbers came about."""
    versions = [f"pocketmars_env {__version__}", f"python {platform.python_version()}"]
    versions += [f"{package} {version_of(package)}" for package in PACKAGES]
    lines = [
        ", ".join(versions),
        "One core: one process with one thread. Random legal play; where a game ends, the next one's start "
        "counts too. The kernel plays many games in one compiled call and chooses by itself; all other rows "
        "are played from Python and contain the same random choice, from a mask the row `choice`; vector "
        "environments, whose names end with the number of games, that of `sample_actions`.",
        f"Each row was played {ROUNDS} times in turn with all others, for {seconds:g} s altogether; the best "
        "counts. Seconds are processor time (time.process_time).",
    ]
    if not IS_COMPILED:
        lines.append("NUMBA_DISABLE_JIT is set: the rules run as plain Python.")
    return lines


def version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return NOT_INSTALLED


def speed_sheet(rows: Iterable[Row], speeds: Mapping[str, Speed]) -> Sheet:
    """A line for each row, measured or not."""
    columns = ("row", "decisions/s", "ns/decision", "median/best")
    return Sheet(columns, [(row.name, *speed_cells(row, speeds)) for row in rows])


def speed_cells(row: Row, speeds: Mapping[str, Speed]) -> tuple[str, ...]:
    if row.name not in speeds:
        return NOT_INSTALLED, "", ""
    speed = speeds[row.name]
    return f"{speed.best:,.0f}", f"{1e9 / speed.best:,.0f}", f"{speed.median / speed.best:.2f}"


def footnotes(rows: Iterable[Row]) -> list[str]:
    """How to get the peers that are missing."""
    packages = dict.fromkeys(row.package for row in rows if not row.is_installed)
    return [f"Not installed: {package}; pip install {package} adds its rows." for package in packages]


def comparison_sheet(speeds: Mapping[str, Speed]) -> Sheet:
    """The ratios that matter."""
    rows = []
    for comparison in COMPARISONS:
        ours, peer = (best_within(speeds, prefix) for prefix in (comparison.ours, comparison.peer))
        ratio = f"{ours / peer:,.2f}" if ours and peer else NOT_MEASURED
        rows.append((comparison.title, ratio, f"≥ {comparison.aim:g}" if comparison.aim else ""))
    return Sheet(("2 players; of the kernel the best batch size", "ratio", "aim"), rows)


def best_within(speeds: Mapping[str, Speed], prefix: str) -> float:
    """The best rate of the rows within a prefix; 0 if none was measured."""
    return max((speed.best for name, speed in speeds.items() if is_within(name, prefix)), default=0.0)


RATES = (
    ("kernel, rules + mask (2 players)", "kernel/mask/2p", 8_000_000),
    ("kernel, rules + mask + observation (2 players)", "kernel/observation/2p", 2_600_000),
    ("raw_env() (2 players)", "raw_env/2p", 200_000),
    ("vector environment, random masked actions (solo)", "vector/solo", 1_000_000),
)
"""What it is, the rows of which the best counts, and the decisions/s aimed at."""


def other_sheet(
    speeds: Mapping[str, Speed], starts: Mapping[str, float], learning: tuple[float, float] | None = None
) -> Sheet:
    """The best rates, the size of a state, seconds to the first step, and what learning takes.

    Args:
        speeds: of the rows, by name.
        starts: seconds from the start of a process to its first step, by what it steps.
        learning: what `share_of_learning` gave, if it was measured.

    """
    rows = []
    for title, prefix, aim in RATES:
        rate = best_within(speeds, prefix)
        value = f"{rate:,.0f} decisions/s" if rate else NOT_MEASURED
        rows.append((title, value, f"≥ {aim:,}"))
    rows.append(("state of a game", f"{STATE.itemsize:,} bytes", "≤ 512"))
    rows += [
        (f"new process to first step, {name}", f"{seconds:.2f} s", "≤ 1.5 s")
        for name, seconds in starts.items()
    ]
    if learning:
        share, rate = learning
        rows.append(("environment's share of MaskablePPO.learn", f"{share:.1%}", "≤ 10 %"))
        rows.append((f"MaskablePPO.learn, {EPOCHS} epochs, all cores", f"{rate:,.0f} decisions/s", ""))
    return Sheet(("other", "value", "aim"), rows)
