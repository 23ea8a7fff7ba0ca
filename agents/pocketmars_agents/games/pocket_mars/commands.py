"""The command ``pocketmars bench``, and other commands' default bots."""

from typing import Annotated

import typer

from pocketmars_agents.arena.plots import check_plot
from pocketmars_agents.arena.text_table import show
from pocketmars_agents.cli.command_options import Bots, Contest, PlotFile, errors_of
from pocketmars_agents.cli.game_commands import GameCommands
from pocketmars_agents.cli.game_options import for_game
from pocketmars_agents.games.pocket_mars.bench import (
    AUTOMATON,
    DEFAULT_BOTS,
    DEFAULT_GAMES,
    Plan,
    bench_table,
    plot_bench,
    rows_of,
)
from pocketmars_agents.games.pocket_mars.bots import MULTI, SOLO, can_play_policies
from pocketmars_agents.games.pocket_mars.columns import COLUMNS
from pocketmars_agents.games.pocket_mars.suites import DA_2, suite_of
from pocketmars_env.core.errors import how_to_install
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP
from pocketmars_env.games.pocket_mars.spec import SPEC

STRONG_BOT = MULTI if can_play_policies() else "planner"
EARLIER_NAMES = {"games": "deals", "levels": "level"}
"""Maps the earlier names of `bench` options, which are still accepted, to the current names."""


def current_name(option: str) -> str:
    """Return the current name of a `bench` option, given its current or earlier name."""
    return EARLIER_NAMES.get(option, option)


def bench(
    *,
    bots: Bots = list(DEFAULT_BOTS),  # noqa: B006  # Typer requires a list
    suite: Annotated[str, typer.Option(help="The suite: a fixed list of deals.")] = DA_2.name,
    level: Annotated[
        str, typer.Option(help=f"Levels of Devious Automatics, separated by commas: {', '.join(LEVELS)}.")
    ] = ",".join(LEVELS),
    deals: Annotated[
        int, typer.Option(help="Number of deals, from the first; each is played at every level and handicap.")
    ] = DEFAULT_GAMES,
    handicap: Annotated[
        int | None,
        typer.Option(
            help=f"Play only this handicap: points added to the DA's score, 0 to {MAX_HANDICAP}.",
            show_default="all of " + ", ".join(map(str, DA_2.handicaps)),
        ),
    ] = None,
    da: Annotated[
        str, typer.Option(help="The bot in the DA's seat; automaton is the policy of the printed rules.")
    ] = AUTOMATON,
    plot: PlotFile = None,
    contest: Contest,
) -> None:
    """Play bots against Devious Automatics, all on the same deals.

    A handicap is a number of points added to the score of Devious Automatics. The handicap rating estimates
    the handicap at which a bot wins half of its games. The deals and the bots' random streams are fixed.
    Apart from decision times, the same command therefore prints the same table with any number of processes,
    unless a bot is not reproducible (for example, a language model) or a time limit affects a game.

    Example: `pocketmars bench planner --deals 100 --level cyborg`
    """
    with errors_of("bench", contest.out):
        if plot is not None:
            check_plot(plot)
        names = tuple(name.strip() for name in level.split(",") if name.strip())
        of_suite = suite_of(suite)
        handicaps = of_suite.handicaps if handicap is None else (handicap,)
        limit = contest.seconds_per_decision
        plan = Plan(tuple(bots), names, deals, da, limit, of_suite, handicaps)
        if tuple(bots) == DEFAULT_BOTS and SOLO not in bots:
            advice = how_to_install("policies")
            typer.echo(f"{SOLO} is left out, because policies need onnxruntime; {advice}", err=True)
        results = contest.play(plan.matches())
        show(bench_table(results), contest.markdown)
        if plot is not None:
            plot_bench(plot, rows_of(results), f"Against Devious Automatics, {deals:,} deals per level")


def add_commands(app: typer.Typer) -> None:
    """Add the command ``bench``."""
    app.command(context_settings={"token_normalize_func": current_name})(for_game(bench, SPEC))


COMMANDS = GameCommands(
    game=SPEC,
    line_up=(STRONG_BOT, "greedy"),
    opponent=STRONG_BOT,
    adviser="planner",
    add_commands=add_commands,
    columns=COLUMNS,
)
