"""The command ``pocketmars``."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents import bench as benchmark
from agents.base import ACCEPTED_AGENTS
from agents.bench_table import footnotes, markdown_table, rich_table, rows_of
from agents.results import GameResult
from pocketmars_env import __version__
from pocketmars_env.engine.config import LEVELS

BAD_OPTION = 2
FAILED = 1
INTERRUPTED = 130
PLAIN_WIDTH = 120
"""Of the table where there is no terminal."""

app = typer.Typer(
    name="pocketmars",
    help="Bots and benchmarks for the card game Pocket Mars.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"pocketmars_env {__version__}")
        raise typer.Exit


@app.callback()
def pocketmars(
    version: Annotated[
        bool, typer.Option("--version", callback=print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Bots and benchmarks for the card game Pocket Mars."""


@app.command()
def bench(
    agents: Annotated[
        str, typer.Option(help=f"The bots, with commas between them. Accepted: {ACCEPTED_AGENTS}.")
    ] = ",".join(benchmark.DEFAULT_AGENTS),
    levels: Annotated[
        str, typer.Option(help=f"The levels of the automaton, of: {', '.join(LEVELS)}.")
    ] = ",".join(LEVELS),
    games: Annotated[int, typer.Option(help="Games of each bot at each level.")] = benchmark.DEFAULT_GAMES,
    jobs: Annotated[
        int | None, typer.Option(help="Processes that play.", show_default="one for each core")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Keep every game in this file; if it exists, go on with it.")
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")] = False,
) -> None:
    """Let bots play the solo game against Devious Automatics, all on the same deals.

    The deals are a fixed list and the bots' chance is fixed too: the same command gives the same
    table (but for the speed), however many processes play.
    """
    sys.path.append(os.getcwd())  # so that module:Class finds a bot that lies here
    try:
        plan = benchmark.Plan(split(agents), split(levels), games)
        results = play(plan, os.cpu_count() or 1 if jobs is None else jobs, out)
    except ValueError as error:
        raise stop(str(error), BAD_OPTION) from error
    except benchmark.BenchError as error:
        raise stop(str(error), FAILED) from error
    except KeyboardInterrupt as error:
        kept = f"; the finished games are in {out}, and the same command goes on with them" if out else ""
        raise stop(f"interrupted{kept}", INTERRUPTED) from error
    show(results, markdown)


def split(names: str) -> tuple[str, ...]:
    """The names between the commas."""
    return tuple(name.strip() for name in names.split(",") if name.strip())


def stop(message: str, status: int) -> typer.Exit:
    """What ends the command, after it has said why."""
    typer.echo(f"pocketmars bench: {message}", err=True)
    return typer.Exit(status)


def play(plan: benchmark.Plan, jobs: int, out: Path | None) -> list[GameResult]:
    """Run the benchmark with a progress bar on the terminal, if stderr is one."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task("playing", total=len(plan.games_to_play()))
        return benchmark.run(plan, jobs, out, lambda _: progress.advance(bar))


def is_terminal() -> bool:
    """Whether the table goes to a terminal, not into a file."""
    return sys.stdout.isatty()


def show(results: list[GameResult], is_markdown: bool) -> None:
    """Print the table and its footnotes."""
    rows = rows_of(results)
    if is_markdown:
        typer.echo(markdown_table(rows))
    else:
        table = rich_table(rows)
        console = Console(width=None if is_terminal() else PLAIN_WIDTH)
        # a terminal that is too narrow wraps the lines, but no figure is cut
        console.width = max(console.width, Console(width=PLAIN_WIDTH).measure(table).maximum)
        console.print(table)
    for note in footnotes(results):
        typer.echo(f"\n{note}")


def main() -> None:
    """The console entry point."""
    app(prog_name="pocketmars")
