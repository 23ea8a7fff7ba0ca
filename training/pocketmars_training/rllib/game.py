"""The learner's tables for RLlib: bots answer inside, learner and past selves are RLlib's modules."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from pocketmars_agents import Agent, make_agent
from pocketmars_env.adapters.rllib import MultiAgentGame
from pocketmars_env.core.game_spec import default_game, game_named
from pocketmars_training.rllib.pool import LEARNER, members, past_modules

Entries = dict[str, Any]


def agent_id(module: str, seat: int) -> str:
    """Whom RLlib asks for a seat: says itself which module answers."""
    return f"{module}@{seat}"


def module_of(agent: str, *_: Any, **__: Any) -> str:
    """The policy mapping: the module that answers for an agent, whatever the episode."""
    return agent.partition("@")[0]


@dataclass
class Report:
    """What has happened in a game since the last report.

    Attributes:
        decisions: the learner's, in all its seats.
        results: of finished games, for every seat of the learner's and every seat of somebody else:
            the other one's name, and the learner's reward.
        games: how many have ended.

    """

    decisions: int = 0
    results: list[tuple[str, float]] = field(default_factory=list)
    games: int = 0


class PoolGame(MultiAgentEnv):  # type: ignore[misc]  # Ray publishes no types
    """Games of changing player counts and changing line-ups.

    In each new game one seat, any, is the learner's; the others are drawn by `shares`. Bots answer
    inside, so RLlib sees none but the learner's and the past selves' seats, as the agents
    ``learner@0``, ``past_1@2`` and so on; every one of them gets its reward when the game ends, whoever made
    the last move.

    Args:
        config: ``players``, ``bots``, ``past_kept``, ``present_share`` and, for another game than the default
            one, ``game`` of `ScaleOutSettings`; RLlib's ``env_config``. Until `report` is called, only the
            learner and the first bot play.

    Attributes:
        shares: ``(members,)`` float64, the probability of each member of the pool to get a seat.

    """

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__()
        bots, modules = tuple(config["bots"]), [LEARNER, *past_modules(config["past_kept"])]
        game = config.get("game", default_game().name)
        seats = game_named(game).max_seats
        self._tables = [MultiAgentGame({"game": game, "players": players}) for players in config["players"]]
        self._members = members(bots, config["past_kept"])
        self._bots: dict[str, Agent] = {name: make_agent(name) for name in bots}
        self.shares = np.zeros(len(self._members))
        self.shares[:2] = config["present_share"], 1 - config["present_share"]
        self.possible_agents = [agent_id(module, seat) for module in modules for seat in range(seats)]
        table, player = self._tables[0], self._tables[0].possible_agents[0]
        self.observation_spaces = dict.fromkeys(self.possible_agents, table.observation_spaces[player])
        self.action_spaces = dict.fromkeys(self.possible_agents, table.action_spaces[player])
        self.observation_space = spaces.Dict(self.observation_spaces)
        self.action_space = spaces.Dict(self.action_spaces)
        self._runner = int(getattr(config, "worker_index", 0))  # RLlib's config is more than a dict
        self._rng = np.random.default_rng()
        self._report = Report()

    def report(self, shares: NDArray[np.float64]) -> Report:
        """What has happened since the last call.

        Args:
            shares: those of the games to come.

        """
        self.shares = shares
        report, self._report = self._report, Report()
        return report

    # --- the environment --------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Entries, Entries]:
        """Start another game.

        Args:
            seed: starts the random stream anew that decides deals, line-ups and the bots' chance; one
                of its own for every runner, as RLlib's seeds of neighbouring runners overlap.
            options: ignored.

        """
        if seed is not None:
            self._rng = np.random.default_rng([seed, self._runner])
        self._table = self._tables[self._rng.integers(len(self._tables))]
        seats = len(self._table.possible_agents)
        drawn = self._rng.choice(len(self._members), size=seats, p=self.shares)
        drawn[self._rng.integers(seats)] = 0
        self._line_up = [self._members[number] for number in drawn]
        observations, _ = self._table.reset(seed=int(self._rng.integers(2**63)))
        if self._line_up[self._seat(observations)] in self._bots:
            observations, *_ = self._answer_for_bots(observations)
        self.agents = [agent_id(name, s) for s, name in enumerate(self._line_up) if name not in self._bots]
        return self._shown(observations), {}

    def step(
        self, action_dict: dict[str, Any]
    ) -> tuple[Entries, dict[str, float], dict[str, bool], dict[str, bool], Entries]:
        """Answer for the one agent that is asked, and let bots answer until RLlib is asked again."""
        ((agent, action),) = action_dict.items()
        self._report.decisions += module_of(agent) == LEARNER
        _, _, seat = agent.partition("@")
        observations, rewards, terminated, truncated = self._step(int(seat), action)
        if not self._is_over(terminated, truncated):
            observations, rewards, terminated, truncated = self._answer_for_bots(observations)
        if self._is_over(terminated, truncated):
            self._finish(rewards)
        else:
            rewards = dict.fromkeys(observations, 0.0)
        ends = [{**self._shown(flags), "__all__": flags["__all__"]} for flags in (terminated, truncated)]
        return self._shown(observations), self._shown(rewards), ends[0], ends[1], {}

    def _step(self, seat: int, action: Any) -> tuple[Entries, Entries, Entries, Entries]:
        observations, rewards, terminated, truncated, _ = self._table.step({self._name(seat): action})
        return observations, rewards, terminated, truncated

    def _answer_for_bots(self, observations: Entries) -> tuple[Entries, Entries, Entries, Entries]:
        """Let bots answer until RLlib is asked or the game is over."""
        nobody: dict[str, Any] = {"__all__": False}
        answered: tuple[Entries, Entries, Entries, Entries] = (observations, {}, nobody, nobody)
        while not self._is_over(*answered[2:]):
            seat = self._seat(answered[0])
            bot = self._bots.get(self._line_up[seat])
            if bot is None:
                break
            view = self._table.env.unwrapped.game.view()
            answered = self._step(seat, bot.act(view, self._rng))
        return answered

    @staticmethod
    def _is_over(terminated: Entries, truncated: Entries) -> bool:
        return bool(terminated["__all__"] or truncated["__all__"])

    def _seat(self, observations: Entries) -> int:
        """The seat that is asked."""
        (player,) = observations
        return int(self._table.possible_agents.index(player))

    def _name(self, seat: int) -> str:
        """A seat's name in the environment."""
        return str(self._table.possible_agents[seat])

    def _shown(self, entries: Entries) -> Entries:
        """The entries of the seats that RLlib sees, by its agents' names."""
        return {
            agent_id(name, seat): entries[self._name(seat)]
            for seat, name in enumerate(self._line_up)
            if name not in self._bots and self._name(seat) in entries
        }

    def _finish(self, rewards: Entries) -> None:
        """Note the results of the game that has ended."""
        self._report.games += 1
        for seat, name in enumerate(self._line_up):
            if name == LEARNER:
                others = [other for other in self._line_up if other != LEARNER]
                self._report.results += [(other, float(rewards[self._name(seat)])) for other in others]
