"""The ladder: how good an agent is against fixed opponents, on deals that nobody learns from."""

from dataclasses import dataclass

import numpy as np

from pocketmars_agents import Agent
from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_env.core.agent import choose_actions
from pocketmars_env.core.view import Views
from pocketmars_env.envs.vector import SeatVectorEnv, vector_env_class
from pocketmars_training.model.shares import shares_of_wins
from pocketmars_training.run.training_spec import Rung

FIRST_SEED = 2**40
"""Environment seeds from here on are the ladder's; training uses lower ones."""


@dataclass(frozen=True)
class Climb:
    """How an agent did on a rung.

    Attributes:
        games: how many.
        share: of the wins, 0..1; a win shared by k seats counts 1 / k.
        interval: Wilson's 95 % interval of the share.

    """

    games: int
    share: float
    interval: tuple[float, float]


def climb(agent: Agent, rung: Rung, games: int) -> Climb:
    """Play the first games of a rung.

    Args:
        agent: answers for the learner's seat.
        rung: against what.
        games: how many; all side by side.

    """
    envs: SeatVectorEnv = vector_env_class(rung.environment)(
        games, autoreset_mode="SAME_STEP", **rung.settings
    )
    envs.reset(seed=FIRST_SEED)
    numbers, rng = np.arange(games), np.random.default_rng(FIRST_SEED)
    is_done, shares = np.zeros(games, dtype=np.bool_), np.zeros(games)
    tables = envs.tables
    while not is_done.all():
        seeds = rng.integers(0, 2**64, size=games, dtype=np.uint64)
        actions = choose_actions(agent, Views(tables.spec, tables.states, numbers, tables.seats), seeds)
        _, rewards, terminations, truncations, _ = envs.step(actions)
        ended = (terminations | truncations) & ~is_done
        shares[ended] = shares_of_wins(rewards[ended], tables.config.seats)
        is_done |= ended
    total = float(shares.sum())
    return Climb(games, total / games, wilson_interval(round(total), games))
