"""Evaluation against fixed opponents, on deals that are not used for training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent
from pocketmars_agents.arena import text_table
from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_env.core.table import Table
from pocketmars_env.envs.registration import vector_env_class
from pocketmars_env.envs.vector import SeatVectorEnv
from pocketmars_training.common.training_spec import Matchup

FIRST_SEED = 2**40
"""The first environment seed in evaluations; training environments have lower seeds."""


@dataclass(frozen=True)
class Result:
    """An agent's result in a matchup."""

    games: int  # the number of games
    win_share: float  # the agent's win rate, 0..1; if k seats win together, each gets 1 / k of a win
    # the 95 % Wilson interval of the win rate. It is computed from the sum of all games' win shares,
    # rounded to an integer.
    interval: tuple[float, float]


def evaluate(agent: Agent, matchup: Matchup, games: int) -> Result:
    """Evaluate an agent in the learner's seat on the first `games` deals of a matchup, played in parallel."""
    envs: SeatVectorEnv = vector_env_class(matchup.environment)(
        games, autoreset_mode="SAME_STEP", **matchup.settings
    )
    envs.reset(seed=FIRST_SEED)
    numbers, rng = np.arange(games), np.random.default_rng(FIRST_SEED)
    is_done, shares = np.zeros(games, dtype=np.bool_), np.zeros(games)
    played = envs.games
    while not is_done.all():
        seeds = rng.integers(0, 2**64, size=games, dtype=np.uint64)
        actions = Table.choose(agent, played.views(numbers, envs.seats), seeds)
        _, rewards, terminations, truncations, _ = envs.step(actions)
        ended = (terminations | truncations) & ~is_done
        shares[ended] = win_shares(rewards[ended], played.config.seats)
        is_done |= ended
    total = float(shares.sum())
    return Result(games, total / games, wilson_interval(round(total), games))


def win_shares(rewards: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """Convert final ``"win"`` rewards to shares of a win: 1 / k if k seats win together, 0 for a loss.

    The reward for an illegal action, -1, also gives 0.
    """
    return np.maximum((rewards * (seats - 1) + 1) / seats, 0.0)


def show_results(matchups: Sequence[Matchup], results: Mapping[str, Sequence[Result]]) -> None:
    """Print a table of win rates, with one row per agent and one column per matchup."""
    columns = ("agent", *[matchup.name for matchup in matchups])
    rows = [
        (agent, *[text_table.percent(result.win_share, result.interval) for result in row])
        for agent, row in results.items()
    ]
    text_table.show(text_table.TextTable(columns, 1, tuple(rows)), is_markdown=False)
