"""Benchmark rows of other libraries, each through its fastest Python interface."""

import importlib
from functools import partial
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.aec import new_observation_space
from pocketmars_env.speed.playing import Play, Row, new_choose, new_draw, play_aec

OPEN_SPIEL_GAMES = {
    "hanabi": "hanabi",
    "gin_rummy": "gin_rummy",
    # the double-dummy solver that scores the deal would take nearly all of the time
    "bridge": "bridge(use_double_dummy_result=false)",
}
EMPTY_EPISODE = 100
"""Steps per episode of the empty environment."""
LEGAL_ACTIONS = 8
"""Legal actions in every step of the empty environment."""


def peer_rows(spec: GameSpec) -> list[Row]:
    """All rows of peers, installed or not; the empty environment has the spaces of a game."""
    rows = [
        Row(f"open_spiel/{name}/{what}", partial(play_open_spiel, game, what == "observation"),
            module="pyspiel", package="open_spiel")
        for name, game in OPEN_SPIEL_GAMES.items()
        for what in ("mask", "observation")
    ]  # fmt: skip
    connect_four = Row("connect_four/raw_env", play_connect_four, module="pygame", package="pygame-ce")
    return [*rows, connect_four, Row("empty/env", lambda: play_aec(empty_env(spec)))]


def play_open_spiel(name: str, is_observed: bool, parameters: dict[str, Any] | None = None) -> Play:
    """An OpenSpiel game: its mask, and its observation as a NumPy array if `is_observed`.

    OpenSpiel's mask is a list, so the action is chosen from the list of legal actions, and the
    observation is written into one reused array: both are faster than the alternatives. Chance outcomes
    are drawn by their probabilities and not counted as decisions.
    """
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
    observation = importlib.import_module("open_spiel.python.observation").make_observation(game)
    choose, draw = new_choose(), new_draw()
    state = game.new_initial_state()

    def play(count: int) -> int:
        nonlocal state
        made = 0
        while made < count:
            if state.is_chance_node():
                state.apply_action(drawn_outcome(state.chance_outcomes(), draw()))
            elif state.is_terminal():
                state = game.new_initial_state()
            else:
                if is_observed:
                    observation.set_from(state, state.current_player())
                state.legal_actions_mask()
                state.apply_action(choose(state.legal_actions()))
                made += 1
        return count

    return play


def drawn_outcome(outcomes: list[tuple[int, float]], number: float) -> int:
    """The outcome for a random number in [0, 1)."""
    for action, probability in outcomes:
        number -= probability
        if number < 0:
            return action
    return outcomes[-1][0]  # rounding may leave the sum of probabilities below 1


def play_connect_four() -> Play:
    """PettingZoo's Connect Four without wrappers."""
    module = importlib.import_module("pettingzoo.classic.connect_four.connect_four")
    return play_aec(module.raw_env())


class EmptyEnv(AECEnv):  # type: ignore[misc]  # PettingZoo publishes no types
    """An environment that does nothing, to measure the cost of its wrappers."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "empty_v0",
        "render_modes": [],
        "is_parallelizable": False,
    }
    possible_agents: ClassVar[list[str]] = ["player_0", "player_1"]

    def __init__(self, spec: GameSpec) -> None:
        self.render_mode = None
        self._observation_space = new_observation_space(spec)
        self._action_space = spaces.Discrete(spec.num_actions)
        mask = np.zeros(spec.num_actions, dtype=np.int8)
        mask[:LEGAL_ACTIONS] = 1
        observation = np.zeros(spec.observation_size, dtype=np.float32)
        self._observation: dict[str, NDArray[Any]] = {"observation": observation, "action_mask": mask}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Discrete:
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._steps_left = EMPTY_EPISODE

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        return self._observation

    def step(self, action: Any) -> None:
        self._steps_left -= 1
        if self._steps_left == 0:
            self.terminations = dict.fromkeys(self.agents, True)


def empty_env(spec: GameSpec) -> AECEnv:
    """The empty environment in the wrappers of `pocketmars_env.envs.aec.env`."""
    wrapped = wrappers.TerminateIllegalWrapper(EmptyEnv(spec), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
