"""Checks of accepted positions: every position reached from them is accepted again, and the games end."""

from typing import Any

import numpy as np

from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE, Game
from pocketmars_env.core.compiled.states import States, copy_states
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.rules.state import new_states
from pocketmars_env.games.pocket_mars.spec import SPEC

FIRST_STEPS = 4
"""After the first steps, all positions of a batch are checked; later, one in each step."""
MOST_STEPS = 250_000
"""More decisions than a game of 10,000 rounds has."""


def play_to_the_end(games: list[Game], seed: int) -> int:
    """Play accepted positions at random until all have ended; returns the number of actions."""
    states = np.concatenate([game.states for game in games])
    rng = np.random.default_rng(seed)
    words = np.empty(len(states), dtype=np.uint64)
    actions = np.empty(len(states), dtype=np.int64)
    answers = 0
    for step in range(MOST_STEPS):
        is_running = states["over"] == 0
        check_all(states)
        number = int(rng.integers(len(states)))
        for row in range(len(states)) if step < FIRST_STEPS else (number,):
            check_one(states, row)
        if not is_running.any():
            return answers
        batch.choose_all(states, np.uint64(seed), step * len(states), words, actions)
        running = np.flatnonzero(is_running)
        assert batch.first_illegal(states, running, actions[running]) == -1
        batch.step_some(states, running, actions[running])
        answers += int(is_running.sum())
        if step % 16 == 0 and is_running.sum() * 2 < len(states):
            states = copy_states(states[is_running])
            words, actions = words[: len(states)].copy(), actions[: len(states)].copy()
    raise AssertionError(
        f"{int(is_running.sum())} games do not end: {Game.of(SPEC, states[is_running][:1])!r}"
    )


def check_all(states: States) -> None:
    """Check that every unfinished game has a legal action, and that observations lie in [0, 1]."""
    masks = np.empty((len(states), NUM_ACTIONS), dtype=np.int8)
    observations = np.empty((len(states), OBSERVATION_SIZE), dtype=np.float32)
    views = new_states(len(states))
    seats = np.maximum(states["to_play"].astype(np.int64), 0)
    batch.observe_all(states, seats, observations, masks)
    batch.mask_all(states, masks)
    complain(states, masks.any(axis=1) == (states["over"] == 0), "answers")
    complain(states, ((observations >= 0) & (observations <= 1)).all(axis=1), "observation")
    batch.views_of(states, np.arange(len(states)), seats, views)
    sizes = np.arange(35) < views["deck_size"][:, None]
    complain(states, ((views["deck"] >= 0) & (views["deck"] < 35) | ~sizes).all(axis=1), "deck of the view")


def complain(states: States, is_sound: Any, what: str) -> None:
    wrong = np.flatnonzero(~is_sound)
    if len(wrong):
        game = Game.of(SPEC, copy_states(states[wrong[:1]]))
        raise AssertionError(f"{what}: {game!r} {game.snapshot()} {game.resume_state()}")


def check_one(states: States, number: int) -> None:
    """Check that a position, and the view of the seat to play, are accepted and restored exactly."""
    game = Game.of(SPEC, copy_states(states[number : number + 1]))
    for position in (game, Game.of(SPEC, game.view().states)):
        restored = Game.from_snapshot(position.snapshot(), position.resume_state())
        assert restored.to_bytes() == position.to_bytes(), f"{game!r} {game.snapshot()}"
