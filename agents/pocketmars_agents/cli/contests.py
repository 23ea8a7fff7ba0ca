"""The commands ``pocketmars arena``, ``rate`` and ``compare``, which play games between bots."""

from typing import Annotated

import typer

from pocketmars_agents.arena.arena import DEFAULT_DEALS, Deals, arena_table, line_up_of
from pocketmars_agents.arena.compare import (
    DEFAULT_MAX_GAMES,
    compare,
    compare_table,
    deals_within,
    pairs,
    verdict,
)
from pocketmars_agents.arena.plots import check_plot
from pocketmars_agents.arena.rating import plot_ratings, rating_table, round_robin
from pocketmars_agents.arena.sequential import SequentialTest
from pocketmars_agents.arena.text_table import show, show_text
from pocketmars_agents.cli.command_options import Bots, Contest, PlotFile, bots_like, errors_of, with_bar
from pocketmars_agents.cli.game_options import Settings
from pocketmars_env.core.game_spec import GameSpec

FirstDeal = Annotated[int, typer.Option(help="The first deal's number, counted from 0.")]
DealCount = Annotated[
    int, typer.Option(help="Number of deals; each is played in every rotation of the seats.")
]


def arena(
    spec: GameSpec,
    bots: Bots,
    settings: Settings,
    *,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    contest: Contest,
) -> None:
    """Play bots against each other on the same deals.

    Each deal is played in every rotation of the seats. The last bot gets the remaining seats: with `arena A B
    --players 4`, A has one seat and B three.

    Example: `pocketmars arena multi greedy --players 3 --deals 100`
    """
    with errors_of("arena", contest.out):
        config = spec.config(**settings)
        line_up = line_up_of(bots, config)
        matches = Deals(config, deals, first_deal, contest.seconds_per_decision).matches(line_up)
        show(arena_table(bots, contest.play(matches)), contest.markdown)


def rate(
    spec: GameSpec,
    bots: Bots,
    settings: Settings,
    *,
    deals: DealCount = DEFAULT_DEALS,
    first_deal: FirstDeal = 0,
    plot: PlotFile = None,
    contest: Contest,
) -> None:
    """Play all combinations of bots and print their ratings.

    All combinations play the same deals.

    Example: `pocketmars rate random greedy planner --deals 50 --out games.jsonl`
    """
    with errors_of("rate", contest.out):
        if plot is not None:
            check_plot(plot)
        of_config = Deals(spec.config(**settings), deals, first_deal, contest.seconds_per_decision)
        results = contest.play(round_robin(bots, of_config))
        show(rating_table(results), contest.markdown)
        if plot is not None:
            plot_ratings(plot, results)


def compare_bots(
    spec: GameSpec,
    bot: Annotated[str, typer.Argument(help="The bot that may be stronger.", autocompletion=bots_like)],
    against: Annotated[str, typer.Argument(help="The other bot.", autocompletion=bots_like)],
    settings: Settings,
    *,
    elo0: Annotated[
        float, typer.Option(help="H0: BOT is stronger than AGAINST by this many Elo points.")
    ] = SequentialTest.elo0,
    elo1: Annotated[
        float, typer.Option(help="H1: BOT is stronger than AGAINST by this many Elo points.")
    ] = SequentialTest.elo1,
    alpha: Annotated[float, typer.Option(help="Probability of accepting H1 if H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Probability of accepting H0 if H1 holds.")] = 0.05,
    max_games: Annotated[
        int, typer.Option(help="Stop without a decision after this many games.")
    ] = DEFAULT_MAX_GAMES,
    first_deal: FirstDeal = 0,
    contest: Contest,
) -> None:
    """Compare two bots with a sequential test.

    Each deal is played twice, the second time with the seats swapped. The command stops when the test
    decides, or after `--max-games` games at the latest.

    Example: `pocketmars compare planner greedy`
    """
    with errors_of("compare", contest.out):
        folder, workers = contest.folder(), contest.workers()
        test = SequentialTest(elo0, elo1, alpha, beta)
        config = spec.config(**spec.player_settings(2), **settings)
        deals = Deals(config, deals_within(max_games), first_deal, contest.seconds_per_decision)
        matches = pairs((bot, against), deals)
        *_, judge = with_bar(compare(matches, test, workers, contest.out, contest.tell), len(matches))
        if folder is not None:
            for game in judge.games:  # excludes games that finished after the decision
                folder.keep(game)
        contest.show(judge.games)
        show_text(f"{verdict(judge)}\n")
        show(compare_table(judge), contest.markdown)
