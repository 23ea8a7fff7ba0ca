"""Measure the decisions per second of a game through every interface of this package, and of peers.

    python -m pocketmars_env.speed
    python -m pocketmars_env.speed --only kernel/mask/2p open_spiel/hanabi --seconds 5
    python -m pocketmars_env.speed --markdown --start --learn

Peers (OpenSpiel, PettingZoo's Connect Four) and Stable-Baselines3 are measured if they are installed.
"""

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.progress import Progress

from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import GAMES, GameSpec, default_game, game_named
from pocketmars_env.core.precompile import ensure_compiled
from pocketmars_env.speed.learning import share_of_learning
from pocketmars_env.speed.own_rows import own_rows
from pocketmars_env.speed.peer_rows import peer_rows
from pocketmars_env.speed.playing import Row
from pocketmars_env.speed.report import (
    Sheet,
    comparison_sheet,
    footnotes,
    heading,
    is_within,
    other_sheet,
    speed_sheet,
)
from pocketmars_env.speed.timing import ROUNDS, Speed, first_steps, measure, seconds_to_first_step

PROGRAM = "python -m pocketmars_env.speed"
MAX_SECONDS = 3600.0
PLAIN_WIDTH = 120
"""Width of tables without a terminal."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; `arguments` are by default those of the process."""
    options = parser().parse_args(arguments)
    spec = game_named(options.game)
    try:
        chosen = choose_rows([*own_rows(spec), *peer_rows(spec)], options.only)
    except ValueError as error:
        parser().error(str(error))
    ensure_compiled(spec)
    speeds = measure_with_progress([row for row in chosen if row.is_installed], options.seconds)
    programs = first_steps(spec) if options.start else {}
    starts = {name: seconds_to_first_step(program) for name, program in programs.items()}
    learning = measured_learning(spec) if options.learn else None
    sheets = [
        speed_sheet(chosen, speeds),
        comparison_sheet(spec, speeds),
        other_sheet(spec, speeds, starts, learning),
    ]
    with output_errors(PROGRAM):
        show([*heading(options.seconds), *footnotes(chosen)], sheets, options.markdown)


def parser() -> argparse.ArgumentParser:
    """The command's options."""
    found = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Decisions per second of a game and its peers, on one core.",
    )
    default = default_game().name
    found.add_argument("--game", choices=list(GAMES), default=default, help=f"(default: {default})")
    found.add_argument("--seconds", type=checked_seconds, default=1.0, help="for each row (default: 1)")
    found.add_argument(
        "--only",
        nargs="+",
        metavar="NAME",
        help="only these rows, or all whose names begin so: kernel, kernel/mask/2p, env/solo, ...",
    )
    found.add_argument("--markdown", action="store_true", help="print the tables as Markdown")
    found.add_argument(
        "--start", action="store_true", help="also time a new process from its start to the first step"
    )
    found.add_argument(
        "--learn",
        action="store_true",
        help="also measure the environment's share of the time of MaskablePPO.learn (needs sb3-contrib)",
    )
    return found


def measured_learning(spec: GameSpec) -> tuple[float, float]:
    """`share_of_learning`; exits with a hint if a requirement is missing."""
    try:
        return share_of_learning(spec)
    except ValueError as error:
        parser().error(str(error))
    except ImportError as error:
        parser().error(f"--learn needs sb3-contrib ({error}): pip install 'pocketmars-env[train]'")


def checked_seconds(text: str) -> float:
    """Parse the seconds of an option."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise argparse.ArgumentTypeError(f"must be a number above 0, at most {MAX_SECONDS:g}; got {text!r}")
    return seconds


def choose_rows(rows: Sequence[Row], names: Sequence[str] | None) -> list[Row]:
    """The rows selected by names; all without names.

    Raises:
        ValueError: if a name selects no row; lists the valid names.

    """
    if names is None:
        return list(rows)
    for name in names:
        if not any(is_within(row.name, name) for row in rows):
            accepted = ", ".join(dict.fromkeys(row.name.split("/")[0] for row in rows))
            raise ValueError(
                f"--only: no row is named {name!r}; accepted: {accepted}, "
                f"or more parts of a row's name, such as {rows[0].name}"
            )
    return [row for row in rows if any(is_within(row.name, name) for name in names)]


def measure_with_progress(rows: Sequence[Row], seconds: float) -> dict[str, Speed]:
    """`measure` with a progress bar, if stderr is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("measuring", total=len(rows) * ROUNDS)
        return measure(rows, seconds, lambda: progress.advance(bar))


def show(lines: Sequence[str], sheets: Sequence[Sheet], is_markdown: bool) -> None:
    """Print the lines and tables."""
    print("\n\n".join(lines), end="\n\n")
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    for sheet in sheets:
        if is_markdown:
            print(sheet.as_markdown(), end="\n\n")
        else:
            console.print(sheet.as_rich())


if __name__ == "__main__":
    main()
