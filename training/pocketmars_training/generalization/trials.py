"""Tests of a policy on given deals and against given opponents."""

import re

import numpy as np
from numpy.typing import NDArray

from pocketmars_agents import Agent, make_agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_env.core.agent import choose_actions, prepare
from pocketmars_env.core.game import Views
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.table import Streams, Table
from pocketmars_env.envs.rewards import final_rewards_all
from pocketmars_training.common.evaluation import win_shares
from pocketmars_training.generalization.results import TrialResult
from pocketmars_training.generalization.studies import Trial

MIXTURE = re.compile(r"(.+)\+(\d+)%(.+)")
SEED = 1
"""The seed of the agents' random streams."""


class Mixture(BatchedAgent):
    """An agent that plays a share of its decisions like one agent, and the others like another."""

    def __init__(self, usual: Agent, share: float, other: Agent) -> None:
        self.name = f"{usual.name}+{100 * share:g}%{other.name}"
        self._usual, self._share, self._other = usual, share, other

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        is_other = seeds < self._share * 2.0**64
        actions = [choose_actions(agent, views, seeds) for agent in (self._usual, self._other)]
        return np.where(is_other, actions[1], actions[0])

    def prepare(self, spec: GameSpec) -> None:
        for agent in (self._usual, self._other):
            prepare(agent, spec)


def agent_named(name: str) -> Agent:
    """Create an agent; the name can be a mixture, see `UNSEEN_OPPONENTS`."""
    if found := MIXTURE.fullmatch(name):
        return Mixture(make_agent(found[1]), int(found[2]) / 100, make_agent(found[3]))
    return make_agent(name)


def shares_of(agent: Agent, opponent: Agent | None, spec: GameSpec, trial: Trial) -> NDArray[np.float64]:
    """Return the agent's win share in each deal, averaged over its seats; `opponent` plays the others."""
    seats = spec.config(**trial.kind).seats_to_play
    games = Games(len(trial.deals) * seats, spec, **trial.kind, seed=0)
    games.reset(seeds=np.repeat(np.array(trial.deals, dtype=np.uint64), seats))
    numbers = np.arange(len(games))
    line_up = np.ones((len(games), seats), dtype=np.int64)
    line_up[numbers, numbers % seats] = 0
    seeds = np.random.default_rng(SEED).integers(0, 2**64, (len(games), seats), np.uint64)
    agents = [agent] if opponent is None else [agent, opponent]
    Table(games, agents, line_up, Streams(spec, seeds)).advance(numbers)
    rewards = final_rewards_all("win", *games.standings())
    shares = win_shares(rewards, games.config.seats)[numbers, numbers % seats]
    means: NDArray[np.float64] = shares.reshape(-1, seats).mean(axis=1)
    return means


def result_of(agent: Agent, spec: GameSpec, trial: Trial) -> TrialResult:
    """Test an agent against each opponent of a trial."""
    shares = {
        name: shares_of(agent, agent_named(name) if name else None, spec, trial)
        for name in trial.opponents or ("",)
    }
    return TrialResult(
        opponents={name: round(float(values.mean()), 4) for name, values in shares.items() if name},
        deals=np.mean(list(shares.values()), axis=0).round(4).tolist(),
    )
