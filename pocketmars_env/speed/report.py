"""The benchmark's report."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from rich import box
from rich.table import Table

from pocketmars_env.core.compiled.compiling import IS_COMPILED
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.version import __version__
from pocketmars_env.speed.learning import EPOCHS
from pocketmars_env.speed.own_rows import env_ids, measured_of
from pocketmars_env.speed.playing import Row
from pocketmars_env.speed.timing import ROUNDS, Speed

PACKAGES = ("numpy", "numba", "gymnasium", "pettingzoo", "sb3-contrib", "open_spiel")
NOT_MEASURED = "not measured"
NOT_INSTALLED = "not installed"


COMPARISONS = {
    "kernel, mask / OpenSpiel hanabi, mask + observation": ("kernel/mask", "open_spiel/hanabi/observation"),
    "kernel, mask + observation / OpenSpiel hanabi, mask + observation": (
        "kernel/observation", "open_spiel/hanabi/observation",
    ),
    "kernel, mask / OpenSpiel hanabi, mask": ("kernel/mask", "open_spiel/hanabi/mask"),
    "raw_env() / PettingZoo connect_four, raw": ("raw_env", "connect_four/raw_env"),
    "env() / empty environment in the same wrappers": ("env", "empty/env"),
}  # fmt: skip
"""The game's rows, in its first configuration, and the peer's; the best of each is compared."""
RATES = {
    "kernel, rules + mask": "kernel/mask",
    "kernel, rules + mask + observation": "kernel/observation",
    "raw_env()": "raw_env",
    "vector environment, random masked actions": "vector",
}
"""The game's rows, in its first configuration; the best of them is reported."""


@dataclass(frozen=True)
class Sheet:
    """A table with names in the first column and numbers in the others."""

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
    """The versions, and how the numbers were measured."""
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
    """How to install the missing peers."""
    packages = dict.fromkeys(row.package for row in rows if not row.is_installed)
    return [f"Not installed: {package}; pip install {package} adds its rows." for package in packages]


def comparison_sheet(spec: GameSpec, speeds: Mapping[str, Speed]) -> Sheet:
    """The ratios of the game's speed to its peers'."""
    rows = []
    name, measured = next(iter(measured_of(spec).items()))
    for title, (ours, peer) in COMPARISONS.items():
        own_rate, peer_rate = best_within(speeds, f"{ours}/{name}"), best_within(speeds, peer)
        ratio = f"{own_rate / peer_rate:,.2f}" if own_rate and peer_rate else NOT_MEASURED
        rows.append((title, ratio, aim(spec, title)))
    return Sheet((f"{measured.label}; of the kernel the best batch size", "ratio", "aim"), rows)


def aim(spec: GameSpec, title: str) -> str:
    """The game's target for a title, or an empty text."""
    return f"≥ {spec.speed_aims[title]:,}" if title in spec.speed_aims else ""


def best_within(speeds: Mapping[str, Speed], prefix: str) -> float:
    """The best rate of the rows within a prefix; 0 if none was measured."""
    return max((speed.best for name, speed in speeds.items() if is_within(name, prefix)), default=0.0)


def other_sheet(
    spec: GameSpec,
    speeds: Mapping[str, Speed],
    starts: Mapping[str, float],
    learning: tuple[float, float] | None = None,
) -> Sheet:
    """The best rates, the size of a state, seconds to the first step, and the share of learning.

    Args:
        spec: the game.
        speeds: the speeds of the rows, by name.
        starts: seconds from the start of a process to its first step, by what it steps.
        learning: the result of `share_of_learning`, if it was measured.

    """
    rows, measured = [], measured_of(spec)
    for title, prefix in RATES.items():
        name = next(iter(env_ids(spec) if prefix == "vector" else measured), "")
        rate = best_within(speeds, f"{prefix}/{name}")
        label = f" ({measured[name].label})" if name else ""
        value = f"{rate:,.0f} decisions/s" if rate else NOT_MEASURED
        rows.append((f"{title}{label}", value, aim(spec, title)))
    rows.append(("state of a game", f"{spec.state.itemsize:,} bytes", "≤ 512"))
    rows += [
        (f"new process to first step, {name}", f"{seconds:.2f} s", "≤ 1.5 s")
        for name, seconds in starts.items()
    ]
    if learning:
        share, rate = learning
        rows.append(("environment's share of MaskablePPO.learn", f"{share:.1%}", "≤ 10 %"))
        rows.append((f"MaskablePPO.learn, {EPOCHS} epochs, all cores", f"{rate:,.0f} decisions/s", ""))
    return Sheet(("other", "value", "aim"), rows)
