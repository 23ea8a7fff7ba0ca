"""Command line for the baselines: train algorithms, and regenerate the page with the results."""

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import torch
import typer

from pocketmars_agents.arena.workers import WorkersError, hire_processes
from pocketmars_env.core.files.file_locks import open_locked
from pocketmars_env.core.files.output import fail
from pocketmars_training.common.training_spec import Task

from .algorithms import ALGORITHMS, TASKS
from .cross_play import PAIR_TASKS, cross_play, read_cross_plays
from .page import write_page
from .recorder import Recorder
from .results import ResultError, read_all, result_path

RESULTS, PAGE = Path("training/baselines"), Path("training/BASELINES.md")
MAX_SEED = 4_095
DEALS = 200

EVERY = "all"

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=__doc__)
Results = Annotated[Path, typer.Option(help="The folder of the result files.")]


@app.command()
def run(
    algorithm: Annotated[str, typer.Argument(help=f"One of {', '.join(ALGORITHMS)}, or {EVERY}.")],
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(TASKS)}, or {EVERY}.")],
    seeds: Annotated[list[int] | None, typer.Argument(help="The seeds; by default 1 2 3.")] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            help="Number of training steps of a run.", show_default="depends on the algorithm", min=1
        ),
    ] = None,
    results: Results = RESULTS,
    threads: Annotated[int, typer.Option(help="Number of PyTorch threads.", min=1)] = 1,
    policies: Annotated[
        Path | None, typer.Option(help="Also save the final policies, as ONNX files in this folder.")
    ] = None,
) -> None:
    """Train the given algorithms on the given tasks, once per seed.

    A run is skipped if it already has a result file for the same number of training steps. With `all`, runs
    that are impossible or lack a library are skipped, too. Several processes can run this command with the
    same folder of result files at the same time.
    """
    for seed in seeds or ():
        if not 0 <= seed <= MAX_SEED:
            fail(f"baselines: seed must be in 0..{MAX_SEED}, got {seed}")
    for seed in seeds or (1, 2, 3):
        for name in selected("algorithm", algorithm, ALGORITHMS):
            for chosen in selected("task", task, TASKS):
                if ALGORITHMS[name].supports(TASKS[chosen]):
                    total, is_named = steps or ALGORITHMS[name].steps, algorithm != EVERY
                    run_once(name, TASKS[chosen], seed, total, results, threads, policies, is_named)
                elif EVERY not in (algorithm, task):
                    fewest = ALGORITHMS[name].fewest_players
                    fail(f"baselines: {name} needs a task for {fewest} or more players, got {chosen}")


def selected(what: str, name: str, known: Mapping[str, object]) -> list[str]:
    if name != EVERY and name not in known:
        fail(f"baselines: {what} must be one of {', '.join(known)} or {EVERY}, got {name!r}")
    return list(known) if name == EVERY else [name]


def run_once(
    name: str,
    task: Task,
    seed: int,
    steps: int,
    results: Path,
    threads: int,
    policies: Path | None,
    is_named: bool,
) -> None:
    """Train an algorithm on a task with one seed.

    The function only prints a line if another process is working on the same run (algorithm, task, number of
    steps and seed), or if this run already has a result file. If the algorithm's module cannot be imported,
    the function fails if the user has named the algorithm, otherwise it prints a line.
    """
    algorithm, path = ALGORITHMS[name], result_path(results, name, task.name, steps, seed)
    with locked(path.with_suffix(".lock")) as is_own:
        if not is_own or path.exists():
            state = "already done" if is_own else "another process works on it"
            print(f"{name} {task.name} seed {seed}: {state}, {path}", flush=True)
            return
        try:
            module = importlib.import_module(f".{algorithm.module or name}", __package__)
        except ImportError as error:
            reason = f"{name} cannot run: {error}; {PAGE} says what to install"
            if is_named:
                fail(f"baselines: {reason}")
            print(reason, flush=True)
            return
        torch.set_num_threads(threads)
        module.train(Recorder(name, task, seed, steps, algorithm.unit, results, policies=policies))


@app.command("cross-play")
def play_each_other(
    task: Annotated[str, typer.Argument(help=f"One of {', '.join(PAIR_TASKS)}.")],
    policies: Annotated[Path, typer.Option(help="The folder of the policies, from `run --policies`.")],
    deals: Annotated[int, typer.Option(help="Number of deals; a pair plays each from both seats.")] = DEALS,
    games: Annotated[
        Path | None, typer.Option(help="Save every game in this file; if it exists, resume from it.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Number of processes.", min=1)] = 1,
    results: Results = RESULTS,
) -> None:
    """Let the policies of the first seed and the bots play each other, and write the result of the task."""
    if task not in PAIR_TASKS:
        fail(f"baselines: task must be one of {', '.join(PAIR_TASKS)}, got {task!r}")
    try:
        cross_play(TASKS[task], policies, deals, hire_processes(jobs), games).write(results)
    except (ValueError, OSError, WorkersError) as error:
        fail(f"baselines: {error}")


@app.command()
def page(
    results: Results = RESULTS, out: Annotated[Path, typer.Option(help="The page to regenerate.")] = PAGE
) -> None:
    """Regenerate the tables and the plots on the baselines page from the result files."""
    try:
        write_page(read_all(results), TASKS, out, results, read_cross_plays(results))
    except (ResultError, ValueError, OSError) as error:
        fail(f"baselines: {error}")


@contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Lock a file unless another process has locked it, and yield whether this process holds the lock."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = open_locked(path)
    except OSError as error:
        fail(f"baselines: {error}")
    try:
        yield lock is not None
    finally:
        if lock is not None:
            path.unlink(missing_ok=True)
            lock.close()


if __name__ == "__main__":
    app()
