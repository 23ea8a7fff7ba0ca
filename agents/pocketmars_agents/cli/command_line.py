"""The command ``pocketmars``."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from pocketmars_agents.arena.arena import DEFAULT_DEALS, Deals, arena_table, line_up_of
from pocketmars_agents.arena.compare import DEFAULT_MAX_GAMES, compare, compare_table, deals_within, pairs
from pocketmars_agents.arena.match_replays import WHICH, keep_all
from pocketmars_agents.arena.rating import rating_table, round_robin
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.tables import show
from pocketmars_agents.cli.command_options import (
    Bots,
    DealCount,
    Draft,
    Edition,
    FirstDeal,
    Jobs,
    Limit,
    Markdown,
    Out,
    Players,
    Ray,
    ReplayPath,
    ReplaysOf,
    errors_of,
    folder_of,
    hire,
    play,
    with_bar,
)
from pocketmars_agents.cli.play import play_command
from pocketmars_agents.cli.record import record_games
from pocketmars_agents.cli.replay import replay_command
from pocketmars_agents.cli.watch import watch_command
from pocketmars_agents.game_parts import parts_of
from pocketmars_agents.games.pocket_mars.bench import (
    AUTOMATON,
    DEFAULT_BOTS,
    DEFAULT_GAMES,
    Plan,
    bench_table,
)
from pocketmars_agents.games.pocket_mars.leaderboard import (
    DEFAULT_CHECKS,
    add_to_leaderboard,
    entries_of,
    leaderboard_table,
    path_of,
    read_leaderboard,
)
from pocketmars_agents.games.pocket_mars.suites import DA_2, suite_of
from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import default_game
from pocketmars_env.core.version import __version__
from pocketmars_env.games.pocket_mars.config import EDITIONS, LEVELS, GameConfig
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP

LINE_UP = list(parts_of(default_game()).line_up)

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
    sys.path.append(os.getcwd())  # so that module:Class finds a bot that lies here


# --- the commands ---------------------------------------------------------------------------------


@app.command()
def bench(
    bots: Bots = list(DEFAULT_BOTS),  # noqa: B006  # typer wants a list
    suite: Annotated[str, typer.Option(help="The fixed list of deals.")] = DA_2.name,
    levels: Annotated[
        str, typer.Option(help=f"The levels of Devious Automatics, of: {', '.join(LEVELS)}.")
    ] = ",".join(LEVELS),
    games: Annotated[
        int, typer.Option(help="How many deals, from the first; each is played at every level and handicap.")
    ] = DEFAULT_GAMES,
    handicap: Annotated[
        int | None,
        typer.Option(
            help=f"Play with these points added to Devious Automatics' score, 0 to {MAX_HANDICAP}.",
            show_default="one after the other " + ", ".join(map(str, DA_2.handicaps)),
        ),
    ] = None,
    da: Annotated[str, typer.Option(help="Who decides for Devious Automatics: a bot.")] = AUTOMATON,
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Let bots play the solo game against Devious Automatics, all on the same deals.

    The handicap rating is the handicap at which a bot wins half of its games. The deals are a fixed list
    and the bots' chance is fixed too: the same command gives the same table apart from the times, however
    many processes play.
    """
    with errors_of("bench", out):
        folder = folder_of(replays, replays_of)
        names = tuple(name.strip() for name in levels.split(",") if name.strip())
        of_suite = suite_of(suite)
        handicaps = of_suite.handicaps if handicap is None else (handicap,)
        plan = Plan(tuple(bots), names, games, da, seconds_per_decision, of_suite, handicaps)
        show(bench_table(play(plan.matches(), hire(jobs, ray), out, folder)), markdown)


@app.command()
def arena(
    bots: Bots = LINE_UP,  # typer wants a list
    players: Players = 2,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    draft: Draft = False,
    edition: Edition = EDITIONS[0],
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Let bots play against each other, on the same deals and in every seat.

    The last bot takes the seats that remain: `arena A B --players 4` seats A once and B three times.
    """
    with errors_of("arena", out):
        folder = folder_of(replays, replays_of)
        config = GameConfig(players=players, draft=draft, edition=edition)
        line_up = line_up_of(bots, players)
        matches = Deals(config, deals, first_deal, seconds_per_decision).matches(line_up)
        show(arena_table(bots, play(matches, hire(jobs, ray), out, folder)), markdown)


@app.command()
def rate(
    bots: Bots,
    players: Players = 2,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    draft: Draft = False,
    edition: Edition = EDITIONS[0],
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Let every choice of bots play each other, and print a rating for each of them."""
    with errors_of("rate", out):
        folder = folder_of(replays, replays_of)
        config = GameConfig(players=players, draft=draft, edition=edition)
        matches = round_robin(bots, Deals(config, deals, first_deal, seconds_per_decision))
        show(rating_table(play(matches, hire(jobs, ray), out, folder)), markdown)


@app.command(name="compare")
def compare_bots(
    bot: Annotated[str, typer.Argument(help="The bot that may be stronger.")],
    against: Annotated[str, typer.Argument(help="The other bot.")],
    h0: Annotated[float, typer.Option(help="The difference in Elo if it is not.")] = SequentialTest.elo0,
    h1: Annotated[float, typer.Option(help="The difference in Elo if it is.")] = SequentialTest.elo1,
    alpha: Annotated[float, typer.Option(help="How often H1 is accepted though H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often H0 is accepted though H1 holds.")] = 0.05,
    max_games: Annotated[int, typer.Option(help="Stop, undecided, after these.")] = DEFAULT_MAX_GAMES,
    first_deal: FirstDeal = 0,
    draft: Draft = False,
    edition: Edition = EDITIONS[0],
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Play two bots, each deal with both seatings, until a sequential test has decided."""
    with errors_of("compare", out):
        folder, workers = folder_of(replays, replays_of), hire(jobs, ray)
        test = SequentialTest(h0, h1, alpha, beta)
        config = GameConfig(players=2, draft=draft, edition=edition)
        deals = Deals(config, deals_within(max_games), first_deal, seconds_per_decision)
        matches = pairs((bot, against), deals)
        *_, judge = with_bar(compare(matches, test, workers, out), len(matches))
        keep_all(judge.games, folder, workers)  # not those that were finished but not judged
        show(compare_table(judge), markdown)


@app.command()
def leaderboard(
    results: Annotated[
        list[Path] | None, typer.Argument(help="Results files of `bench`; none prints the leaderboard.")
    ] = None,
    suite: Annotated[str, typer.Option(help="The fixed list of deals.")] = DA_2.name,
    write: Annotated[
        Path | None, typer.Option(help="Add the results to this leaderboard, made if it does not exist.")
    ] = None,
    check: Annotated[
        int, typer.Option(help="Before entries are added, play this many games of each again.")
    ] = DEFAULT_CHECKS,
    trust: Annotated[
        bool,
        typer.Option(
            "--trust",
            help="Import and run the modules, and open the policies, that the results files name as bots.",
        ),
    ] = False,
    markdown: Markdown = False,
) -> None:
    """Print the leaderboard of a suite, or make its file from results."""
    with errors_of("leaderboard", None):
        of_suite = suite_of(suite)
        if write is not None and not results:
            raise ValueError("--write needs results files")
        if results:
            entries = entries_of(results, of_suite)
            if write is not None:
                entries = add_to_leaderboard(write, of_suite, entries, check, trust)
        else:
            entries = read_leaderboard(path_of(of_suite), of_suite)
        show(leaderboard_table(entries), markdown)


app.command(name="replay")(replay_command)
app.command(name="watch")(watch_command)
app.command(name="play")(play_command)
app.command(name="record")(record_games)


def main() -> None:
    """The console entry point."""
    with output_errors("pocketmars"):
        app(prog_name="pocketmars")
