"""Loops of random legal play that several rows share."""

from collections.abc import Callable, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.speed.timing import Play

DRAWN_AHEAD = 2**16


def new_draw() -> Callable[[], float]:
    """A fast source of random numbers in [0, 1), drawn in advance."""
    return cycle(np.random.default_rng(0).random(DRAWN_AHEAD).tolist()).__next__


def new_choose() -> Callable[[Sequence[int] | NDArray[np.int64]], int]:
    """The random choice of all rows that are played from Python, one decision at a time."""
    draw = new_draw()
    return lambda actions: actions[int(draw() * len(actions))]


def play_aec(env: Any) -> Play:
    """PettingZoo's loop: last, a random legal action, step; a reset at the end."""
    choose = new_choose()
    env.reset(seed=0)
    while True:
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            env.reset()
        else:
            env.step(choose(observation["action_mask"].nonzero()[0]))
            yield 1


def drawn_outcome(outcomes: list[tuple[int, float]], number: float) -> int:
    """The outcome for a random number in [0, 1); faster than `pyspiel.sample_action`."""
    for action, probability in outcomes:
        number -= probability
        if number < 0:
            return action
    return outcomes[-1][0]  # rounding may leave the sum of probabilities below 1


def play_open_spiel(name: str, is_observed: bool, parameters: dict[str, Any] | None = None) -> Play:
    """An OpenSpiel game: its mask, and its observation as a NumPy array if `is_observed`.

    OpenSpiel's mask is a list, so the action is chosen from the list of legal actions, and the
    observation is written into one reused array: both are faster than the alternatives. Chance outcomes
    do not count as decisions.
    """
    import pyspiel  # not in the base installation
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name, parameters) if parameters else pyspiel.load_game(name)
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
