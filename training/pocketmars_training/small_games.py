"""Search for small games, and measure those of the table.

    python -m pocketmars_training.small_games search --game project_mars --minutes 10
    python -m pocketmars_training.small_games measure

`search` draws random rows and prints those in which information has a value, as lines of JSON. `measure`
writes the sizes and values of all small games into ``training/small_games.json``.
"""

import json
import random
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from pocketmars_agents.exact.game_tree import GameTree, build_tree, sizes, tree_of
from pocketmars_agents.exact.solver import equilibrium
from pocketmars_agents.exact.strategies import name_of, save, small_config, small_configs
from pocketmars_env.core.files.writing import write_whole
from pocketmars_env.core.game_spec import game_named
from pocketmars_training.common.training_spec import training_of

FILE = Path(__file__).parents[1] / "small_games.json"
MOST_NASH_CONV = 1e-3
SAMPLED_DEALS, MOST_SAMPLED_EDGES = 6, 2_000_000
NODES_IN_SEARCH, MOST_LOG2_DEALS, FEWEST_LOG2_DEALS = 2e6, 11, 6
"""In a search, the number of deals is chosen so that the tree has about two million nodes."""
SEARCH_NASH_CONV, SEARCH_ITERATIONS = 4e-3, 64
LEAST_INFORMATION, LEAST_MIXING, MOST_ADVANTAGE = 0.02, 0.005, 0.5
"""Bounds of an interesting game: values of information and of mixing, and the first player's advantage."""

app = typer.Typer(help=__doc__, rich_markup_mode=None, pretty_exceptions_enable=False)


def solved(game: GameTree, most_nash_conv: float, most_iterations: int) -> tuple[Any, dict[str, Any]]:
    """Return an approximate equilibrium and the measurements of a small game."""
    started = time.perf_counter()
    uniform = game.best_response_values(game.uniform())
    response_seconds = time.perf_counter() - started
    started = time.perf_counter()
    strategy, nash_conv, iterations = equilibrium(game, most_nash_conv, most_iterations)
    seconds = time.perf_counter() - started
    first, second = game.best_response_values(strategy)
    value, clairvoyant = game.value(strategy), game.clairvoyant_values(strategy)
    return strategy, {
        "deals": game.num_deals,
        "states": game.num_nodes,
        "histories": game.num_histories,
        "information_sets": game.num_infosets,
        "depth": len(game.tree.levels) - 1,
        "value": value,
        "value_interval": [-second, first],
        "nash_conv": nash_conv,
        "iterations": iterations,
        "best_response_to_uniform": list(uniform),
        "information": sum(clairvoyant) / 2,
        "mixing": game.nash_conv(game.most_likely(strategy)) - nash_conv,
        "first_player": game.starter_value(strategy),
        "response_seconds": round(response_seconds, 2),
        "solve_seconds": round(seconds, 1),
    }


@app.command()
def search(game: str = "project_mars", minutes: float = 10.0, seed: int = 1) -> None:
    """Print interesting rows, one line of JSON each."""
    spec, rng = game_named(game), random.Random(seed)
    draw = training_of(spec).small_game
    if draw is None:
        raise typer.BadParameter(f"{game} has no small games")
    end = time.monotonic() + 60 * minutes
    while time.monotonic() < end:
        row, blank = draw(rng)
        try:
            nodes = sizes(spec, blank, SAMPLED_DEALS, MOST_SAMPLED_EDGES)[:, 0].mean()
        except ValueError:
            continue
        log2_deals = min(MOST_LOG2_DEALS, int(NODES_IN_SEARCH / nodes).bit_length() - 1)
        if log2_deals < FEWEST_LOG2_DEALS:
            continue
        tree = build_tree(spec, blank, 1 << log2_deals)
        _, found = solved(tree, SEARCH_NASH_CONV, SEARCH_ITERATIONS)
        if (
            found["information"] >= LEAST_INFORMATION
            and found["mixing"] >= LEAST_MIXING
            and abs(found["first_player"]) <= MOST_ADVANTAGE
        ):
            typer.echo(json.dumps({"row": str(row), "log2_deals": log2_deals, **found}))


@app.command()
def measure(
    names: Annotated[list[str] | None, typer.Argument(help="The small games; by default all.")] = None,
    iterations: int = 2_000,
    strategies: Annotated[Path | None, typer.Option(help="Write the strategies into this folder.")] = None,
) -> None:
    """Measure small games, and update their rows in ``training/small_games.json``."""
    for name in names or small_configs():
        started = time.perf_counter()
        tree = tree_of(small_config(name))
        build_seconds = time.perf_counter() - started
        strategy, row = solved(tree, MOST_NASH_CONV, iterations)
        row = {"game": tree.spec.name, **row, "build_seconds": round(build_seconds, 1)}
        if strategies is not None:
            save(strategies / f"{name_of(tree).replace(' ', '-')}.npz", tree, strategy)
        rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        rows = {**rows, name: row}
        rows = {known: rows[known] for known in small_configs() if known in rows}
        write_whole(FILE, (json.dumps(rows, indent=1) + "\n").encode())
        typer.echo(f"{name}: {json.dumps(row)}")


if __name__ == "__main__":
    app()
