"""Comparison of two bots with a sequential probability ratio test; see `sequential.py`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from pocketmars_agents.arena.arena import MAX_DEAL, Deals, line_up_of
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import finished_games, in_order
from pocketmars_agents.arena.sequential import PAIR_OUTCOMES, SequentialTest, elo_of_score, score_of_elo
from pocketmars_agents.arena.statistics import Interval, bootstrap_interval, mean, wilson_interval
from pocketmars_agents.arena.text_table import TextTable, failure_notes, percent, seats_of, signed, with_usage
from pocketmars_agents.arena.workers import Hire

DEFAULT_MAX_GAMES = 10_000

COLUMNS = (
    "bot", "against", "games", "decision", "log-likelihood ratio", "win rate [95 %]",
    "Elo [95 %]", "mean margin [95 %]",
)  # fmt: skip
TEXT_COLUMNS = 2
MEANINGS = {"H0": "H0 is accepted", "H1": "H1 is accepted", None: "undecided"}


@dataclass
class Judge:
    """The state of a sequential test on pairs of games; results are added in the order of `matches`."""

    # all games that may be played, two per deal; the second game of a deal has the seats swapped
    matches: Sequence[Match]
    test: SequentialTest  # the sequential test
    # the results added so far, in the order of `matches`
    games: list[GameResult] = field(default_factory=list)
    # for each of the `PAIR_OUTCOMES`, the number of completed pairs with this outcome
    counts: list[int] = field(default_factory=lambda: [0] * len(PAIR_OUTCOMES))
    # the accepted hypothesis, ``"H0"`` or ``"H1"``; None while the test is undecided
    decision: str | None = None

    def hear(self, result: GameResult) -> None:
        """Add the result of the next match; if this completes a pair, update the counts and the decision."""
        self.games.append(result)
        if len(self.games) % 2 == 0:
            shares = [game.win_share(game.match.seat_of(0)) for game in self.games[-2:]]
            self.counts[round(4 * mean(shares))] += 1
            self.decision = self.test.decision(self.counts)

    @property
    def win_rate(self) -> tuple[float, Interval]:
        """The first bot's win rate in the completed pairs, with its interval."""
        pairs = sum(self.counts)
        wins = 2 * float(PAIR_OUTCOMES @ self.counts)
        return wins / max(1, 2 * pairs), wilson_interval(wins, 2 * pairs)


def pairs(bots: Sequence[str], deals: Deals) -> list[Match]:
    """Return two matches between the bots for each deal, the second with the seats swapped."""
    if deals.config.players != 2:
        raise ValueError(f"two bots are compared in games of 2 players, got {deals.config.players}")
    line_up = line_up_of(bots, deals.config)
    if line_up[0] == line_up[1]:
        raise ValueError(f"a comparison needs two different bots, got {line_up[0]} twice")
    return deals.matches(line_up)


def deals_within(games: int) -> int:
    """Return how many deals can be played twice within `games` games."""
    if not 2 <= games <= 2 * MAX_DEAL:
        raise ValueError(f"max-games must be in 2..{2 * MAX_DEAL}, got {games}")
    return games // 2


def compare(
    matches: Sequence[Match],
    test: SequentialTest,
    hire: Hire,
    out: Path | None = None,
    tell: Callable[[int], object] = lambda number: None,
) -> Iterator[Judge]:
    """Play the matches until the test decides or all matches are finished.

    After each result, update the `Judge` and yield it; the same object is yielded every time. Games whose
    results are already in the results file `out` are not played again; see `finished_games` for `tell`.
    """
    judge = Judge(matches, test)
    with closing(finished_games(matches, hire, out, tell)) as results:
        for result in in_order(results, matches):
            judge.hear(result)
            yield judge
            if judge.decision is not None:
                return


def verdict(judge: Judge) -> str:
    """Return the result of the comparison in one sentence."""
    test, (bot, other) = judge.test, judge.matches[0].bots
    if judge.decision is None:
        result = f"Undecided: too few games to tell whether {bot} is stronger than {other}"
    elif judge.decision == "H1":
        result = f"{bot} is {stronger(other, test.elo0)}"
    else:
        result = f"{bot} is not {stronger(other, test.elo1)}"
    return f"{result}; win rate {percent(*judge.win_rate)} in {len(judge.games):,} games."


def stronger(other: str, elo: float) -> str:
    """Return a phrase for an Elo difference of more than `elo` points to another bot."""
    return f"stronger than {other}" + (f" by {elo:g} Elo points or more" if elo else "")


# --- the table ------------------------------------------------------------------------------------


def compare_table(judge: Judge) -> TextTable:
    """Return the table of ``pocketmars compare``."""
    test, (rate, interval) = judge.test, judge.win_rate
    margins = [game.margin(game.match.seat_of(0)) for game in judge.games]
    by_deal = [mean(margins[i : i + 2]) for i in range(0, len(margins), 2)]
    low, high = test.bounds
    row = (
        *judge.matches[0].bots,
        f"{len(judge.games):,}",
        MEANINGS[judge.decision],
        f"{test.ratio(judge.counts):+.2f} in [{low:.2f}, {high:+.2f}]",
        percent(rate, interval),
        signed(elo_of_score(rate), (elo_of_score(interval[0]), elo_of_score(interval[1])), digits=0),
        signed(mean(by_deal), bootstrap_interval(by_deal)),
    )
    text_table = TextTable(COLUMNS, TEXT_COLUMNS, (row,), (meaning(judge), *failure_notes(judge.games)))
    return with_usage(
        text_table, [[seat for bot in dict.fromkeys(row[:2]) for seat in seats_of(bot, judge.games)]]
    )


def meaning(judge: Judge) -> str:
    """Return the note below the table: hypotheses, error rates, outcome counts and a warning about bias."""
    test = judge.test
    return (
        f"H0: Elo {test.elo0:+g}, a win rate of {100 * score_of_elo(test.elo0):.1f} %. "
        f"H1: Elo {test.elo1:+g}, a win rate of {100 * score_of_elo(test.elo1):.1f} %. "
        f"Error rates: {100 * test.alpha:g} % (accepting H1 if H0 holds), "
        f"{100 * test.beta:g} % (accepting H0 if H1 holds). "
        f"Pairs of games with 0, ½, 1, 1½, 2 wins of the first bot: {', '.join(map(str, judge.counts))}. "
        "If the test stops early, the estimates exaggerate the difference on average."
    )
