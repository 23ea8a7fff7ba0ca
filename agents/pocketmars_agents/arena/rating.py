"""Ratings: one strength per bot, fitted to the results of a round robin.

The model is the Plackett-Luce model, applied only to the winner; for two players, this is the Bradley-Terry
model. Bot `i` with strength ``s_i`` wins a game with probability ``exp(s_i) / sum(exp(s_j))``, where the sum
is over all bots in the game; see Hunter, "MM algorithms for generalized Bradley-Terry models", The Annals of
Statistics 32 (2004). If k bots share a win, each gets 1/k of it. `scipy.optimize.minimize` finds the
maximum-likelihood strengths. For a bot that wins or loses every game, the maximum-likelihood strength would
be infinite; therefore, the fit adds `PRIOR_GAMES` virtual drawn games to every line-up.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from pathlib import Path

import numpy as np
import scipy  # loads its submodules at their first use
from numpy.typing import NDArray

from pocketmars_agents.arena.arena import Deals
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.meta_game import Rates, alpha_rank, nash_average
from pocketmars_agents.arena.plots import Point, plot_points
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.statistics import TAILS, Interval
from pocketmars_agents.arena.text_table import (
    TextTable,
    bounds,
    failure_notes,
    percent,
    seats_of,
    time_of,
    with_usage,
)
from pocketmars_agents.registry import checked_name
from pocketmars_env.core.game_spec import spec_of

Bots = NDArray[np.int64]
WinShares = NDArray[np.float64]

PRIOR_GAMES = 1.0
MEAN_RATING = 1500.0
POINTS = 400 / math.log(10)
"""Rating points per unit of strength, chosen so that a lead of 400 points means odds of 10 to 1."""
GRADIENT = 1e-3
"""Tolerance of the fit: the maximum difference between a bot's expected and actual wins."""
RESAMPLES = 400
BOOTSTRAP_SEED = 0


def round_robin(bots: Sequence[str], deals: Deals) -> list[Match]:
    """Return the matches of a round robin, in which every combination of bots plays the same deals."""
    names = tuple(dict.fromkeys(checked_name(bot, spec_of(deals.config)) for bot in bots))
    players = deals.config.players
    if len(names) < players:
        raise ValueError(f"at least {players} different bots are needed, got {', '.join(names)}")
    return [match for line_up in combinations(names, players) for match in deals.matches(line_up)]


# --- the fit ----------------------------------------------------------------------------------------


def strengths(line_ups: Bots, wins: WinShares, guess: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the maximum-likelihood strengths of the bots.

    Args:
        line_ups: ``(L, P)`` int64 indices of the P bots in each of L line-ups.
        wins: ``(L, P)`` float64 wins of each bot in each line-up; a shared win counts as a fraction.
        guess: ``(bots,)`` initial strengths for the fit.

    Returns:
        The strengths, ``(bots,)`` float64 with mean 0.

    """
    seats = line_ups.shape[1]
    counts = wins + PRIOR_GAMES / seats
    games = counts.sum(axis=1, keepdims=True)

    def loss(s: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """Return the negative log-likelihood and its gradient."""
        logs = s[line_ups] - scipy.special.logsumexp(s[line_ups], axis=1, keepdims=True)
        slope = np.zeros_like(s)
        np.add.at(slope, line_ups, games * np.exp(logs) - counts)
        return -float((counts * logs).sum()), slope

    fit = scipy.optimize.minimize(loss, guess, jac=True, method="BFGS", options={"gtol": GRADIENT})
    centred: NDArray[np.float64] = fit.x - fit.x.mean()
    return centred


def ratings(line_ups: Bots, win_shares: WinShares, bots: int) -> tuple[list[float], list[Interval]]:
    """Return the ratings and their 95 % bootstrap intervals.

    The bootstrap resamples the deals. With a single deal, the bounds of all intervals are NaN.

    Args:
        line_ups: ``(L, P)`` int64 indices of the P bots in each of L line-ups.
        win_shares: ``(D, L, P)`` float64 wins for each of D deals, each line-up and each bot in it, summed
            over the rotations of the seats; a shared win counts as a fraction.
        bots: the number of bots.

    """
    best = strengths(line_ups, win_shares.sum(axis=0), np.zeros(bots))
    drawn = [to_points(strengths(line_ups, wins, best)) for wins in resampled(win_shares)]
    return to_points(best).tolist(), intervals_of(drawn, bots)


def resampled(win_shares: WinShares) -> Iterator[WinShares]:
    """Yield the wins in each bootstrap sample of the deals, summed over them; nothing for a single deal."""
    deals = len(win_shares)
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    if deals > 1:
        for weight in rng.multinomial(deals, np.full(deals, 1 / deals), size=RESAMPLES).astype(np.float64):
            yield np.tensordot(weight, win_shares, axes=1)


def intervals_of(drawn: Sequence[NDArray[np.float64]], bots: int) -> list[Interval]:
    """Return the 95 % interval of every bot's value in the bootstrap samples; NaN without samples."""
    low, high = np.percentile(drawn, TAILS, axis=0) if drawn else np.full((2, bots), math.nan)
    return list(zip(low.tolist(), high.tolist()))


def to_points(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return MEAN_RATING + POINTS * values


# --- the table ------------------------------------------------------------------------------------


def standings(results: Sequence[GameResult], bots: Sequence[str]) -> tuple[Bots, WinShares]:
    """Return a round robin's results as the arguments `line_ups` and `win_shares` of `ratings`."""
    numbers = {line_up: i for i, line_up in enumerate(dict.fromkeys(r.match.bots for r in results))}
    deals = {seed: i for i, seed in enumerate(dict.fromkeys(r.match.seed for r in results))}
    players = results[0].match.config.players
    win_shares = np.zeros((len(deals), len(numbers), players))
    for result in results:
        match = result.match
        for i in range(players):
            win_shares[deals[match.seed], numbers[match.bots], i] += result.win_share(match.seat_of(i))
    return np.array([[bots.index(bot) for bot in line_up] for line_up in numbers]), win_shares


def win_rates(line_ups: Bots, wins: WinShares, games: int) -> Rates:
    """Return each bot's win rate in its games with each other bot and, on the diagonal, in all its games.

    With more than two players, other bots take part too, so the rates of two bots do not add up to 1.

    Args:
        line_ups: ``(L, P)`` int64 indices of the P bots in each of L line-ups.
        wins: ``(L, P)`` float64 wins of each bot in each line-up; a shared win counts as a fraction.
        games: the number of games of each line-up.

    """
    bots = line_ups.max() + 1
    won, played = np.zeros((2, bots, bots))
    for i, j in product(range(line_ups.shape[1]), repeat=2):
        pairs = line_ups[:, i], line_ups[:, j]
        np.add.at(won, pairs, wins[:, i])
        np.add.at(played, pairs, games)
    rates: Rates = won / played
    return rates


def plot_ratings(path: Path, results: Sequence[GameResult]) -> None:
    """Write a plot of the ratings in `rating_table`, with the highest rating first."""
    bots = list(dict.fromkeys(bot for result in results for bot in result.match.bots))
    plot_standings(path, bots, *standings(results, bots))


def plot_standings(path: Path, bots: Sequence[str], line_ups: Bots, win_shares: WinShares) -> None:
    """Write a plot of the ratings of bots with these standings, with the highest rating first."""
    rating, intervals = ratings(line_ups, win_shares, len(bots))
    order = best_first(rating)
    deals, players = len(win_shares), line_ups.shape[1]
    rates = win_rates(line_ups, win_shares.sum(axis=0), deals * players)
    plot_points(
        path,
        [Point(bots[i], "", rating[i], intervals[i], text=f"{rating[i]:,.0f}") for i in order],
        f"Ratings in games of {players} players, {deals:,} deals",
        "rating in Elo points, with 95 % intervals (400 points: odds of 10 to 1)",
        rates[np.ix_(order, order)],
    )


def ranking_table(bots: Sequence[str], line_ups: Bots, win_shares: WinShares) -> TextTable:
    """Return the table of bots with these standings, without the win rates against single bots."""
    rating, intervals = ratings(line_ups, win_shares, len(bots))
    rates = win_rates(line_ups, win_shares.sum(axis=0), len(win_shares) * line_ups.shape[1])
    meta_game = meta_game_columns(line_ups, win_shares, rates)
    rows = [
        (bots[i], rating_cell(rating[i], intervals[i]), *(cells[i] for cells in meta_game.values()))
        for i in best_first(rating)
    ]
    return TextTable(("bot", "rating [95 %]", *meta_game), 1, tuple(rows))


def best_first(rating: Sequence[float]) -> list[int]:
    """Return the bots' numbers in the order of their ratings, the highest first."""
    return sorted(range(len(rating)), key=lambda i: -rating[i])


def rating_cell(rating: float, interval: Interval) -> str:
    return f"{rating:,.0f}{bounds(*(f'{end:,.0f}' for end in interval))}"


def meta_game_columns(line_ups: Bots, win_shares: WinShares, rates: Rates) -> dict[str, list[str]]:
    """Return the columns on the meta-game of two players; none for two bots, which cannot form a cycle."""
    bots = len(rates)
    if bots < 3 or line_ups.shape[1] > 2:
        return {}
    games = len(win_shares) * 2
    samples = [win_rates(line_ups, wins, games) for wins in resampled(win_shares)]
    nash, against = nash_average(rates)
    averages = [nash_average(sample) for sample in samples]
    nash_intervals = intervals_of([probabilities for probabilities, _ in averages], bots)
    against_intervals = intervals_of([rates for _, rates in averages], bots)
    rank_intervals = intervals_of([alpha_rank(sample) for sample in samples], bots)
    return {
        "v Nash [95 %]": [percent(*estimate) for estimate in zip(against, against_intervals)],
        "Nash [95 %]": [percent(*estimate) for estimate in zip(nash, nash_intervals)],
        "α-rank [95 %]": [percent(*estimate) for estimate in zip(alpha_rank(rates), rank_intervals)],
    }


def rating_table(results: Sequence[GameResult]) -> TextTable:
    """Return the table of ``pocketmars rate``, with the highest rating first."""
    bots = list(dict.fromkeys(bot for result in results for bot in result.match.bots))
    line_ups, win_shares = standings(results, bots)
    rating, intervals = ratings(line_ups, win_shares, len(bots))
    order = best_first(rating)
    players = line_ups.shape[1]
    games = len(win_shares) * players
    rates = win_rates(line_ups, win_shares.sum(axis=0), games)
    meta_game = meta_game_columns(line_ups, win_shares, rates)
    columns = ("bot", "rating [95 %]", "wins", *(f"v {bots[i]}" for i in order), *meta_game, "ms/decision")
    seats = {i: seats_of(bots[i], results) for i in order}
    rows = [
        (
            bots[i],
            rating_cell(rating[i], intervals[i]),
            f"{100 * rates[i, i]:.1f} %",
            *("-" if i == j else f"{100 * rates[i, j]:.1f} %" for j in order),
            *(cells[i] for cells in meta_game.values()),
            time_of(seats[i]),
        )
        for i in order
    ]
    note = (
        f"{games:,} games of {players} players for each combination of bots; the mean rating is "
        f"{MEAN_RATING:.0f}, and a lead of 400 points means odds of 10 to 1."
    )
    extreme = tuple(
        f"{bot} has {'lost' if rate == 0 else 'won'} every game: any {'lower' if rate == 0 else 'higher'} "
        "rating would explain that too."
        for bot, rate in zip(bots, rates.diagonal())
        if rate in (0, 1)
    )
    text_table = TextTable(columns, 1, tuple(rows), (note, *extreme, *failure_notes(results)))
    return with_usage(text_table, [seats[i] for i in order])
