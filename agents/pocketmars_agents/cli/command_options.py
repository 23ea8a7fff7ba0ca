"""Options, error handling and a progress bar that the commands share."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TimeRemainingColumn
from rich.text import Text

from pocketmars_agents.arena.match_replays import WHICH, ReplayFolder, replay_of
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.ray_workers import hire_ray
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import finished_games
from pocketmars_agents.arena.workers import Hire, Play, WorkersError, hire_processes
from pocketmars_agents.registry import kinds
from pocketmars_env.core.compiled.compile_notice import compiling_now
from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.settings import setting

BAD_OPTION = 2
FAILED = 1
INTERRUPTED = 130


def completion(words: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return the function with which the shell completes an option that accepts these words."""

    def complete(incomplete: str) -> list[str]:
        return [word for word in words() if word.startswith(incomplete)]

    return complete


bots_like = completion(kinds)

Bots = Annotated[
    list[str],
    typer.Argument(help="The bots; `pocketmars bots` lists the names.", autocompletion=bots_like),
]
PlotFile = Annotated[Path | None, typer.Option(help="Also plot the table as this file: .png, .svg or .pdf.")]
Jobs = Annotated[int | None, typer.Option(help="Number of processes.", show_default="one per core")]


def processes(jobs: int | None, play: Play = play_matches) -> Hire:
    """Return a factory for `jobs` workers, by default one per core; see `hire_processes`."""
    return hire_processes(os.cpu_count() or 1 if jobs is None else jobs, play)


@dataclass(frozen=True)
class Contest:
    """The options shared by the commands that play matches; `for_game` adds them to a command."""

    seconds_per_decision: float | None = setting(
        None, "A bot that takes longer than this for a decision loses the game"
    )
    jobs: int | None = setting(None, "Number of processes", show_default="one per core")
    ray: str | None = setting(None, "Play on an existing Ray cluster, such as host:6379")
    out: Path | None = setting(None, "Save every game in this file; if it exists, resume from it")
    replays: Path | None = setting(None, "Save a replay of every game in this folder")
    replays_of: str = setting(
        WHICH[0], "With --replays: which games to save; the first bot has won or lost them", choices=WHICH
    )
    html: Path | None = setting(None, "Write a page with the first deal's first two games side by side")
    markdown: bool = setting(False, "Print the table as Markdown")

    def workers(self) -> Hire:
        """Return a factory for workers on a Ray cluster if ``--ray`` is given, otherwise on this machine."""
        return processes(self.jobs) if self.ray is None else hire_ray(self.ray)

    def folder(self) -> ReplayFolder | None:
        """Return the replay folder, or None without ``--replays``; raise a ValueError for invalid options."""
        if self.replays is None and self.replays_of != WHICH[0]:
            raise ValueError("--replays-of needs --replays")
        return None if self.replays is None else ReplayFolder(self.replays, self.replays_of)

    def play(self, matches: Sequence[Match]) -> list[GameResult]:
        """Play games and show a progress bar; return the results in the order of `matches`, without actions.

        Games that are already in the results file (``--out``) are not played again. Replays are saved if
        ``--replays`` is given.
        """
        results, folder = {}, self.folder()
        for result in with_bar(finished_games(matches, self.workers(), self.out, self.tell), len(matches)):
            if folder is not None:
                folder.keep(result)
            is_shown = self.html is not None and result.match in matches[:2]
            results[result.match] = result if is_shown else replace(result, actions=())  # to save memory
        self.show(found := [results[match] for match in matches])
        return found

    def tell(self, number: int) -> None:
        """Say on stderr in how many games in the results file bots failed, in case they are repaired now."""
        typer.echo(
            f"{number:,} games in {self.out}, in which a bot failed, are not played again; if the bot is "
            "repaired, use another file",
            err=True,
        )

    def show(self, results: Sequence[GameResult]) -> None:
        """With ``--html``, write a page with the first two games, two rotations of the first deal."""
        if self.html is not None:
            from pocketmars_agents.play.web.recorded import side_by_side

            write_whole(self.html, side_by_side(*map(replay_of, results[:2])).encode())


@contextmanager
def errors_of(command: str, out: Path | None) -> Iterator[None]:
    """Report a ValueError, a WorkersError or Ctrl-C on stderr, and exit the command with a nonzero status."""
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
    """Print a message on stderr, and return the exception that ends the command with the given status."""
    typer.echo(f"pocketmars {command}: {message}", err=True)
    return typer.Exit(status)


UsageError: Any = typer.BadParameter.__base__  # Typer exports only this class derived from it


def run_typer(app: typer.Typer, name: str) -> None:
    """Run an app under a name, with one or two lines for a wrong command line, and end the process."""
    with output_errors(name):
        try:
            sys.exit(app(prog_name=name, standalone_mode=False) or 0)
        except UsageError as error:
            is_help = "\n" in error.message  # of a command that needs a subcommand
            typer.echo(error.message if is_help else usage_text(name, error), err=True)
            sys.exit(BAD_OPTION)
        except typer.Abort:
            sys.exit(FAILED)


def usage_text(name: str, error: Any) -> str:
    """Return a message about a wrong command line that begins with the suggestion, if there is one."""
    command = name if error.ctx is None else error.ctx.command_path
    problem, _, known = error.format_message().partition(" Did you mean ")  # of a command
    if options := getattr(error, "possibilities", None):
        problem, known = error.message, f"{options[0]}?"
    suggestion = f"did you mean {known} " if known else ""
    return f"{command}: {suggestion}{problem}\nTry '{command} --help' for help."


T = TypeVar("T")


class Activity(ProgressColumn):
    """A progress bar column that shows the current activity of this process."""

    def render(self, task: Task) -> Text:
        """Return the name of the kernels being compiled, or the task's description if there are none."""
        kernels = compiling_now()
        return Text(f"compiling the {kernels}" if kernels else task.description)


def with_bar(events: Iterable[T], number: int, activity: str = "playing") -> Iterator[T]:
    """Yield the events unchanged, and show a progress bar if stderr is a terminal."""
    console = Console(stderr=True)
    columns = (Activity(), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(activity, total=number)
        for event in events:
            progress.advance(bar)
            yield event


def named_step(activity: str) -> AbstractContextManager[Any]:
    """Show the name of a step while it runs if stderr is a terminal."""
    return Console(stderr=True).status(activity)
