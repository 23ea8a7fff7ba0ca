"""The commands ``pocketmars arena``, ``rate`` and ``compare``: bots against each other."""

from typing import Annotated

import typer

from pocketmars_agents.arena.arena import DEFAULT_DEALS, Deals, arena_table, line_up_of
from pocketmars_agents.arena.compare import DEFAULT_MAX_GAMES, compare, compare_table, deals_within, pairs
from pocketmars_agents.arena.match_replays import WHICH, keep_all
from pocketmars_agents.arena.rating import rating_table, round_robin
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.text_table import show
from pocketmars_agents.cli.command_options import (
    Bots,
    DealCount,
    FirstDeal,
    Jobs,
    Limit,
    Markdown,
    Out,
    Ray,
    ReplayPath,
    ReplaysOf,
    errors_of,
    folder_of,
    hire,
    play,
    with_bar,
)
from pocketmars_agents.cli.game_options import Settings
from pocketmars_env.core.game_spec import GameSpec


def arena(
    spec: GameSpec,
    bots: Bots,
    settings: Settings,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Play bots against each other, on the same deals and in every seat.

    The last bot gets the remaining seats: with `arena A B --players 4`, A has one seat and B three.

    Example: `pocketmars arena table greedy --players 3 --deals 100`
    """
    with errors_of("arena", out):
        folder = folder_of(replays, replays_of)
        config = spec.config(**settings)
        line_up = line_up_of(bots, config.players)
        matches = Deals(config, deals, first_deal, seconds_per_decision).matches(line_up)
        show(arena_table(bots, play(matches, hire(jobs, ray), out, folder)), markdown)


def rate(
    spec: GameSpec,
    bots: Bots,
    settings: Settings,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Play every combination of bots, and print a rating for each bot.

    Example: `pocketmars rate random greedy planner --deals 50 --out games.jsonl`
    """
    with errors_of("rate", out):
        folder = folder_of(replays, replays_of)
        config = spec.config(**settings)
        matches = round_robin(bots, Deals(config, deals, first_deal, seconds_per_decision))
        show(rating_table(play(matches, hire(jobs, ray), out, folder)), markdown)


def compare_bots(
    spec: GameSpec,
    bot: Annotated[str, typer.Argument(help="The bot that may be stronger.")],
    against: Annotated[str, typer.Argument(help="The other bot.")],
    settings: Settings,
    h0: Annotated[float, typer.Option(help="H0: it is stronger by this many Elo.")] = SequentialTest.elo0,
    h1: Annotated[float, typer.Option(help="H1: it is stronger by this many Elo.")] = SequentialTest.elo1,
    alpha: Annotated[float, typer.Option(help="Probability of accepting H1 if H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of accepting H0 if H1 holds.")] = 0.05,
    max_games: Annotated[
        int, typer.Option(help="Stop without a decision after this many games.")
    ] = DEFAULT_MAX_GAMES,
    first_deal: FirstDeal = 0,
    seconds_per_decision: Limit = None,
    jobs: Jobs = None,
    ray: Ray = None,
    out: Out = None,
    replays: ReplayPath = None,
    replays_of: ReplaysOf = WHICH[0],
    markdown: Markdown = False,
) -> None:
    """Compare two bots: play each deal with both seatings until a sequential test decides.

    Example: `pocketmars compare planner greedy`
    """
    with errors_of("compare", out):
        folder, workers = folder_of(replays, replays_of), hire(jobs, ray)
        test = SequentialTest(h0, h1, alpha, beta)
        config = spec.config(**spec.player_settings(2), **settings)
        deals = Deals(config, deals_within(max_games), first_deal, seconds_per_decision)
        matches = pairs((bot, against), deals)
        *_, judge = with_bar(compare(matches, test, workers, out), len(matches))
        keep_all(judge.games, folder, workers)  # without games that finished after the decision
        show(compare_table(judge), markdown)
