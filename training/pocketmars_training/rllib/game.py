"""The training environment for RLlib. It plays the bots' seats itself; RLlib plays all other seats."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from pocketmars_agents import make_agent
from pocketmars_env.adapters.rllib import renamed
from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.core.table import NOBODY, ONLY_GAME, Table
from pocketmars_env.envs.observation_space import new_observation_space
from pocketmars_env.envs.rewards import final_rewards
from pocketmars_training.common.training_spec import kinds_of
from pocketmars_training.rllib.pool import LEARNER, members, past_modules

Entries = dict[str, Any]


def agent_id(module: str, seat: int) -> str:
    """Return the RLlib agent id of a seat, which contains the name of the module that plays it."""
    return f"{module}@{seat}"


def module_of(agent: str, *_: Any, **__: Any) -> str:
    """Return the name of the module that plays for an agent; used as RLlib's ``policy_mapping_fn``."""
    return agent.partition("@")[0]


@dataclass
class Report:
    """The results of an environment since its previous report."""

    decisions: int = 0  # the number of the learner's decisions in all of its seats
    # pairs of an opponent's name and the learner's reward. Every finished game adds one pair for each
    # combination of one of the learner's seats and one opponent's seat (a bot's or a past self's).
    results: list[tuple[str, float]] = field(default_factory=list)
    games: int = 0  # the number of finished games


class PoolGame(MultiAgentEnv):  # type: ignore[misc]  # Ray publishes no types
    """A multi-agent environment whose games vary in player count and line-up.

    In each new game, the learner gets a random seat. For every other seat, a member of the pool is drawn with
    the probabilities `shares`: the learner again, a bot or a past self (a frozen copy of the learner). RLlib
    sees only the seats of the learner and of past selves, as the agents ``learner@0``, ``past_1@2`` and so
    on. Observations are those of `pocketmars_env.adapters.rllib.MultiAgentGame`. Rewards are 0 until the end
    of the game, when each agent gets its ``"win"`` reward; see `final_rewards`. RLlib's ``env_config`` has
    the fields ``game``, ``players``, ``bots``, ``past_kept`` and ``present_share`` of `ScaleOutSettings`.
    Until the first call of `report`, only the learner and the first bot are drawn.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        self._spec = spec = game_named(config["game"])
        self._kinds = kinds_of(spec, config["players"])
        self._bots = {name: make_agent(name) for name in config["bots"]}
        self._members = members(tuple(config["bots"]), config["past_kept"])
        self.shares = np.zeros(len(self._members))
        self.shares[:2] = config["present_share"], 1 - config["present_share"]
        modules = [LEARNER, *past_modules(config["past_kept"])]
        self.possible_agents = [
            agent_id(module, seat) for module in modules for seat in range(spec.max_seats)
        ]
        observation_space: spaces.Space[Any] = spaces.Dict(renamed(new_observation_space(spec)))
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space)
        action_space: spaces.Space[Any] = spaces.Discrete(spec.num_actions)
        self.action_spaces = dict.fromkeys(self.possible_agents, action_space)
        self.observation_space = spaces.Dict(self.observation_spaces)
        self.action_space = spaces.Dict(self.action_spaces)
        self._runner = int(getattr(config, "worker_index", 0))  # an attribute of RLlib's `EnvContext`
        self._rng = np.random.default_rng()
        self._report = Report()

    def report(self, shares: NDArray[np.float64]) -> Report:
        """Set the `shares` for later games, and return the results since the previous call."""
        self.shares = shares
        report, self._report = self._report, Report()
        return report

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, Entries]:
        """Start a new game."""
        if seed is not None:
            self._rng = np.random.default_rng([seed, self._runner])
        kind = self._kinds[self._rng.integers(len(self._kinds))]
        seats = self._spec.config(**kind).seats_to_play
        drawn = self._rng.choice(len(self._members), size=seats, p=self.shares)
        drawn[self._rng.integers(seats)] = 0
        self.line_up = [self._members[number] for number in drawn]
        self.game = Game(self._spec, **kind, seed=int(self._rng.integers(2**63)))
        numbers = {name: number for number, name in enumerate(self._bots)}
        line_up = np.array([[numbers.get(name, NOBODY) for name in self.line_up]])
        self._table = Table(self.game, list(self._bots.values()), line_up, self._words)
        self.agents = [
            agent_id(name, seat) for seat, name in enumerate(self.line_up) if name not in self._bots
        ]
        self._table.advance(ONLY_GAME)
        return self._observations(), {}

    def step(
        self, action_dict: dict[str, Any]
    ) -> tuple[Entries, dict[str, float], dict[str, bool], dict[str, bool], Entries]:
        """Play the agent's action, the only entry of `action_dict`, and then the bots' actions."""
        ((agent, action),) = action_dict.items()
        self._report.decisions += module_of(agent) == LEARNER
        self.game.step(action)
        self._table.advance(ONLY_GAME)
        observations, game = self._observations(), self.game
        rewards = dict.fromkeys(observations, 0.0)
        if game.over:
            final = final_rewards("win", game.scores, game.winners)
            rewards = {agent: final[seat_of(agent)] for agent in self.agents}
            self._record(final)
        agents = [*observations, "__all__"]
        terminated = dict.fromkeys(agents, game.over and not game.truncated)
        return observations, rewards, terminated, dict.fromkeys(agents, game.truncated), {}

    def _words(self, games: NDArray[np.int64], seats: NDArray[np.int64]) -> NDArray[np.uint64]:
        return self._rng.integers(0, 2**64, size=len(games), dtype=np.uint64)

    def _observations(self) -> Entries:
        """Return the observation of the agent to play or, at the end of a game, of all RLlib agents."""
        seat = self.game.to_play
        agents = self.agents if seat is None else [agent_id(self.line_up[seat], seat)]
        views = {agent: self.game.view(seat_of(agent)) for agent in agents}
        return {
            agent: {"observations": view.observation, "action_mask": view.mask}
            for agent, view in views.items()
        }

    def _record(self, rewards: list[float]) -> None:
        """Add the results of a finished game to the report."""
        self._report.games += 1
        others = [name for name in self.line_up if name != LEARNER]
        for name, reward in zip(self.line_up, rewards):
            if name == LEARNER:
                self._report.results += [(other, reward) for other in others]


def seat_of(agent: str) -> int:
    return int(agent.partition("@")[2])
