"""Benchmark rows for comparison: OpenSpiel, PettingZoo, and an empty environment in PettingZoo's wrappers."""

from functools import partial
from typing import Any

import numpy as np

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.envs.aec import wrapped
from pocketmars_env.envs.classes import environments_of
from pocketmars_env.speed.timing import Play, Row, new_choose, new_draw, play_aec

OPEN_SPIEL = ("pyspiel", "open_spiel")
EMPTY_EPISODE, LEGAL_ACTIONS = 1_000, 8
"""The number of steps per episode of `empty_env`, and the number of legal actions at each step."""


def peer_rows(spec: GameSpec) -> list[Row]:
    """Return the rows for other libraries, installed or not, and for `empty_env` with `spec`'s spaces."""
    return [
        Row("open_spiel/hanabi/mask", partial(play_open_spiel, "hanabi", False), *OPEN_SPIEL),
        Row("open_spiel/hanabi/observation", partial(play_open_spiel, "hanabi", True), *OPEN_SPIEL),
        Row("connect_four/raw_env", play_connect_four, "pygame", "pygame-ce"),
        Row("empty/env", lambda: play_aec(wrapped(empty_env(spec)))),
    ]


def drawn_outcome(outcomes: list[tuple[int, float]], number: float) -> int:
    """Return the chance outcome for a random number in [0, 1); faster than `pyspiel.sample_action`."""
    for action, probability in outcomes:
        number -= probability
        if number < 0:
            return action
    return outcomes[-1][0]  # rounding may leave the sum of probabilities below 1


def play_open_spiel(name: str, is_observed: bool) -> Play:
    """Play an OpenSpiel game, computing the mask and, if `is_observed`, the observation at every decision.

    For speed, actions are chosen from the list of legal actions. Chance outcomes do not count as decisions.
    """
    import pyspiel  # not in the base installation
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    observation, choose, draw = make_observation(game), new_choose(), new_draw()
    state = game.new_initial_state()
    while True:
        if state.is_chance_node():
            state.apply_action(drawn_outcome(state.chance_outcomes(), draw()))
        elif state.is_terminal():
            state = game.new_initial_state()
        else:
            if is_observed:
                observation.set_from(state, state.current_player())
            state.legal_actions_mask()
            state.apply_action(choose(state.legal_actions()))
            yield 1


def play_connect_four() -> Play:
    """Play PettingZoo's Connect Four without wrappers."""
    from pettingzoo.classic.connect_four.connect_four import raw_env  # needs pygame

    return play_aec(raw_env())


def empty_env(spec: GameSpec) -> Any:
    """Create a `raw_env` whose steps only count down; its speed shows the cost of the wrappers."""
    observation = {
        "observation": np.zeros(spec.observation_size, dtype=np.float32),
        "action_mask": (np.arange(spec.num_actions) < LEGAL_ACTIONS).astype(np.int8),
    }

    class EmptyEnv(environments_of(spec)["raw_env"]):  # type: ignore[misc]  # made at run time
        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
            super().reset(seed, options)
            self.steps_left = EMPTY_EPISODE

        def observe(self, agent: str) -> Any:
            return observation

        def step(self, action: Any) -> None:
            self.steps_left -= 1
            if self.steps_left == 0:
                self.terminations = dict.fromkeys(self.agents, True)

    return EmptyEnv()
