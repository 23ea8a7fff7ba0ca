"""The command ``pocketmars exact``, which evaluates strategies in small games exactly."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.cli.command_options import (
    bots_like,
    completion,
    errors_of,
    named_step,
    with_bar,
)
from pocketmars_agents.exact.game_tree import tree_of
from pocketmars_agents.exact.solver import SOLVERS, equilibrium
from pocketmars_agents.exact.strategies import (
    PLAYS,
    load,
    play_of,
    save,
    small_config,
    small_configs,
    strategy_of,
)
from pocketmars_agents.registry import make_agent
from pocketmars_env.core.errors import quoted


def exact_command(
    game: Annotated[str, typer.Argument(help="The small game.", autocompletion=completion(small_configs))],
    policy: Annotated[
        str,
        typer.Argument(
            help="A bot, a policy file, a strategy (.npz) or a solver: cfr+ or linear.",
            autocompletion=bots_like,
        ),
    ],
    *,
    play: Annotated[
        str,
        typer.Option(
            help="Whether a bot plays its probabilities or its actions; one of: " + ", ".join(PLAYS)
        ),
    ] = PLAYS[0],
    samples: Annotated[
        int,
        typer.Option(help="Number of actions that a bot without probabilities chooses for each view.", min=1),
    ] = 1,
    nash_conv: Annotated[float, typer.Option(help="A solver stops at this NashConv.", min=0)] = 1e-3,
    iterations: Annotated[
        int, typer.Option(help="A solver stops after this many iterations.", min=1)
    ] = 10_000,
    out: Annotated[Path | None, typer.Option(help="Write the strategy to this .npz file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compute the exact NashConv of a policy in a small game.

    The values are exact expected rewards: 1 for a win, 0 for a draw, -1 for a loss. NashConv is the sum of
    what both seats can gain with a best response; it is 0 for an optimal policy.

    Example: `pocketmars exact ambush greedy`
    """
    with errors_of("exact", out):
        if out is not None and out.suffix != ".npz":
            raise ValueError(f"the name of the strategy's file must end in .npz, got {quoted(str(out))}")
        with named_step("building the tree"):
            tree = tree_of(small_config(game))
        played: dict[str, str | int] = {}
        if policy in SOLVERS:
            with named_step(f"solving the game ({policy})"):
                strategy, _, iterations = equilibrium(tree, nash_conv, iterations, policy)
            played["iterations"] = iterations
        elif policy.endswith(".npz"):
            strategy = load(tree, Path(policy))
        else:
            agent = make_agent(policy)
            played["play"] = play_of(agent, play)
            if played["play"] == "actions":
                played["samples"] = samples

            def watch(deals: range) -> Iterator[int]:
                return with_bar(deals, len(deals), "asking the bot, deal by deal")

            strategy = strategy_of(tree, agent, play, samples, watch)
        if out is not None:
            save(out, tree, strategy)
        with named_step("finding best responses"):
            first, second = tree.best_response_values(strategy)
        results = {
            "game": game,
            "policy": policy,
            **played,
            "deals": tree.num_deals,
            "information sets": tree.num_infosets,
            "value of seat 0": tree.value(strategy),
            "best response of seat 0": first,
            "best response of seat 1": second,
            "NashConv": first + second,
        }
        if as_json:
            typer.echo(json.dumps(results))
            return
        for name, value in results.items():
            form = {str: "", int: ",", float: ".6f"}[type(value)]
            typer.echo(f"{name:24} {value:{form}}")
