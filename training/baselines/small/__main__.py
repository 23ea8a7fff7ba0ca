"""Command line for the algorithms on small games: train them, and regenerate the page with the results."""

from pathlib import Path
from typing import Annotated

import torch
import typer

from pocketmars_agents.exact.strategies import small_configs
from pocketmars_env.core.files.output import fail
from pocketmars_training.common.revision import revision

from ..__main__ import EVERY, MAX_SEED
from ..results import ResultError, append, read_lines
from . import attacks
from .page import write_page
from .runs import ALGORITHMS, GAMES, Run
from .runs import run as run_once
from .small_game import SmallGame

RESULTS, PAGE = Path("training/baselines/small/results.jsonl"), Path("docs/exact_benchmark.md")
ATTACKS = Path("notebooks/attacks.jsonl")
SEEDS = (1, 2, 3, 4, 5)

app = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=__doc__)
Results = Annotated[Path, typer.Option(help="The file of results.")]


@app.command()
def run(
    algorithm: Annotated[str, typer.Argument(help=f"One of {', '.join(ALGORITHMS)}, or {EVERY}.")],
    game: Annotated[str, typer.Argument(help=f"A small game, or {EVERY} for {', '.join(GAMES)}.")],
    seeds: Annotated[list[int] | None, typer.Argument(help="The seeds; by default 1 2 3 4 5.")] = None,
    decisions: Annotated[
        int | None,
        typer.Option(help="Number of decisions.", show_default="depends on the algorithm", min=1),
    ] = None,
    results: Results = RESULTS,
) -> None:
    """Train the given algorithms on the given small games, once per seed; finished runs are skipped."""
    if algorithm not in (EVERY, *ALGORITHMS):
        fail(f"small: algorithm must be one of {', '.join(ALGORITHMS)} or {EVERY}, got {algorithm!r}")
    if game not in (EVERY, *small_configs()):
        fail(f"small: game must be one of {', '.join(small_configs())} or {EVERY}, got {game!r}")
    for seed in seeds or ():
        if not 0 <= seed <= MAX_SEED:
            fail(f"small: seed must be in 0..{MAX_SEED}, got {seed}")
        if algorithm != EVERY and not ALGORITHMS[algorithm].is_random and seed != SEEDS[0]:
            fail(f"small: {algorithm} does not depend on the seed, which must be {SEEDS[0]}, got {seed}")
    try:
        for name in GAMES if game == EVERY else (game,):
            train(name, list(ALGORITHMS) if algorithm == EVERY else [algorithm], seeds, decisions, results)
    except (ResultError, OSError) as error:
        fail(f"small: {error}")


def train(
    name: str, algorithms: list[str], seeds: list[int] | None, decisions: int | None, results: Path
) -> None:
    """Train algorithms on one small game."""
    game, code = SmallGame(name), revision()  # results change the folder, so the revision is read first
    for seed in seeds or SEEDS:
        for algorithm in algorithms:
            if not ALGORITHMS[algorithm].is_random and seed != SEEDS[0]:
                continue
            total = decisions or ALGORITHMS[algorithm].decisions
            key = algorithm, name, seed, total
            if any(key == (run.algorithm, run.game, run.seed, run.total) for run in read_lines(results, Run)):
                print(f"{algorithm} {name} seed {seed}: already done, {results}", flush=True)
                continue
            finished = run_once(algorithm, game, seed, total, code)
            append(finished, results)
            end = finished.last
            print(
                f"{algorithm} {name} seed {seed}: {end.decisions:,} decisions, NashConv {end.nash_conv:.4f}, "
                f"{end.cpu_seconds:,.0f} s of processor time",
                flush=True,
            )


@app.command()
def attack(
    games: Annotated[
        list[str] | None, typer.Argument(help="Small games; by default all that are attacked.")
    ] = None,
    results: Annotated[Path, typer.Option(help="The file of attacks.")] = ATTACKS,
    folder: Annotated[Path, typer.Option(help="Folder for the policies and the runs.")] = Path(
        "runs/attacks"
    ),
) -> None:
    """Let the responders of `pocketmars exploit` attack policies; finished attacks are skipped.

    Processes for different games can use the same file at the same time.
    """
    for name in games or ():
        if name not in small_configs():
            fail(f"small: game must be one of {', '.join(small_configs())}, got {name!r}")
    torch.set_num_threads(1)
    code = revision()
    for name in games or attacks.ATTACKED:
        game = SmallGame(name)
        for target in attacks.targets(game, folder / "policies"):
            if any(
                (name, target.name) == (done.game, done.policy)
                for done in read_lines(results, attacks.Attack)
            ):
                continue
            done = attacks.attack(game, target, folder, code)
            append(done, results)
            found = ", ".join(f"{responder} {one.win_share:.1%}" for responder, one in done.found.items())
            print(f"{name} {target.name}: a best response wins {done.exact:.1%}; {found}", flush=True)


@app.command()
def page(
    results: Results = RESULTS, out: Annotated[Path, typer.Option(help="The page to regenerate.")] = PAGE
) -> None:
    """Regenerate the tables and the plot on the page from the results."""
    try:
        write_page(read_lines(results, Run), out)
    except (ResultError, ValueError, OSError) as error:
        fail(f"small: {error}")


if __name__ == "__main__":
    app()
