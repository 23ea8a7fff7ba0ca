"""Shared parts of the commands: options, errors and the progress bar."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from pocketmars_agents.arena.interrupts import interruptible
from pocketmars_agents.arena.match_replays import WHICH, ReplayFolder
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.ray_workers import hire_ray
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import finished_games
from pocketmars_agents.arena.workers import Hire, WorkersError, hire_processes
from pocketmars_env.core.compiled.compile_notice import compiling_now

BAD_OPTION = 2
FAILED = 1
INTERRUPTED = 130

Bots = Annotated[list[str], typer.Argument(help="The bots; `pocketmars bots` lists the names.")]
Jobs = Annotated[int | None, typer.Option(help="Number of processes.", show_default="one per core")]
Ray = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Play on an existing Ray cluster, such as host:6379.")
]
Out = Annotated[Path | None, typer.Option(help="Save every game in this file; resume if it exists.")]
Markdown = Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")]
Limit = Annotated[float | None, typer.Option(help="A bot that takes longer for a decision loses the game.")]
ReplayPath = Annotated[
    Path | None, typer.Option("--replays", metavar="DIR", help="Save a replay of every game in this folder.")
]
ReplaysOf = Annotated[
    str, typer.Option(help=f"Which replays to save, by the first bot's result, of: {', '.join(WHICH)}.")
]
FirstDeal = Annotated[int, typer.Option(help="Number of the first deal.")]
DealCount = Annotated[
    int, typer.Option(help="Number of deals; each is played in every rotation of the seats.")
]


def hire(jobs: int | None, ray: str | None) -> Hire:
    """The workers for the options ``--jobs`` and ``--ray``."""
    if ray is not None:
        return hire_ray(ray)
    return hire_processes(os.cpu_count() or 1 if jobs is None else jobs)


def folder_of(replays: Path | None, replays_of: str) -> ReplayFolder | None:
    """The folder for the options ``--replays`` and ``--replays-of``."""
    if replays is None:
        if replays_of != WHICH[0]:
            raise ValueError("--replays-of needs --replays")
        return None
    return ReplayFolder(replays, replays_of)


@contextmanager
def errors_of(command: str, out: Path | None) -> Iterator[None]:
    """Print errors as one line, and exit with the corresponding status."""
    try:
        yield
    except ValueError as error:
        raise stop(command, str(error), BAD_OPTION) from error
    except WorkersError as error:
        raise stop(command, str(error), FAILED) from error
    except KeyboardInterrupt as error:
        kept = f"; the finished games are in {out}, and the same command resumes from them" if out else ""
        raise stop(command, f"interrupted{kept}", INTERRUPTED) from error


def stop(command: str, message: str, status: int) -> typer.Exit:
    """Print a message; returns the exception that ends the command."""
    typer.echo(f"pocketmars {command}: {message}", err=True)
    return typer.Exit(status)


def play(
    matches: Sequence[Match], workers: Hire, out: Path | None, folder: ReplayFolder | None = None
) -> list[GameResult]:
    """Play games with a progress bar, and save their replays; returns the results in order."""
    found = {}
    for result in with_bar(finished_games(matches, workers, out), len(matches)):
        if folder is not None:
            folder.keep(result)
        found[result.match] = replace(result, actions=())  # to save memory
    if folder is not None:
        folder.finish(workers)
    return [found[match] for match in matches]


T = TypeVar("T")


class Activity(ProgressColumn):
    """The activity of this process, which compiles for all workers before they start."""

    def render(self, task: Task) -> Text:
        """The kernels that are being compiled, or the task's description."""
        kernels = compiling_now()
        return Text(f"compiling the {kernels}" if kernels else task.description)


def with_bar(events: Iterable[T], number: int, activity: str = "playing") -> Iterator[T]:
    """Yield the same events, with a progress bar if stderr is a terminal."""
    console = Console(stderr=True)
    columns = (Activity(), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(activity, total=number)
        for event in interruptible(events):
            progress.advance(bar)
            yield event
