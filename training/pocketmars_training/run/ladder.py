"""The ladder: how good an agent is against fixed opponents, on deals that nobody learns from."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pocketmars_agents import Agent
from pocketmars_agents.arena.statistics import wilson_interval
from pocketmars_env import Views
from pocketmars_env.core.agent import answers
from pocketmars_env.envs.vector import SeatVectorEnv, vector_env_class
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID, TABLE_ID
from pocketmars_env.games.pocket_mars.rules.constants import DA_SEAT
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.model.shares import shares_of_wins

FIRST_SEED = 2**40
"""Environment seeds from here on are the ladder's; training uses lower ones."""


@dataclass(frozen=True)
class Rung:
    """What the agent is measured against.

    Attributes:
        name: for logs, such as ``"standard"`` or ``"greedy_2p"``.
        environment: id of the environment.
        settings: of the environment.

    """

    name: str
    environment: str
    settings: dict[str, Any] = field(default_factory=dict)


def solo_ladder(levels: Sequence[str] = LEVELS) -> list[Rung]:
    """Devious Automatics at each of these levels."""
    return [Rung(level, SOLO_ID, {"level": level}) for level in levels]


def table_ladder(players: Sequence[int]) -> list[Rung]:
    """Every player count against `greedy`, and two players against `planner` too."""
    rungs = [
        Rung(f"greedy_{count}p", TABLE_ID, {"players": count, "opponents": "greedy"})
        for count in sorted(set(players))
    ]
    return [*rungs, Rung("planner_2p", TABLE_ID, {"players": 2, "opponents": "planner"})]


def da_ladder(players: Sequence[str], levels: Sequence[str] = LEVELS) -> list[Rung]:
    """The agent in Devious Automatics' seat, at each of these levels against each of these bots."""
    return [
        Rung(
            f"{player}_{level}",
            TABLE_ID,
            {"mode": "solo", "level": level, "seat": DA_SEAT, "opponents": player},
        )
        for player in players
        for level in levels
    ]


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
    seats = envs.tables.config.seats
    while not is_done.all():
        seeds = rng.integers(0, 2**64, size=games, dtype=np.uint64)
        actions = answers(agent, Views(SPEC, envs.tables.states, numbers, envs.tables.seats), seeds)
        _, rewards, terminations, truncations, _ = envs.step(actions)
        ended = (terminations | truncations) & ~is_done
        shares[ended] = shares_of_wins(rewards[ended], seats)
        is_done |= ended
    total = float(shares.sum())
    return Climb(games, total / games, wilson_interval(round(total), games))
