"""The engine's entry points: what Python calls, for one game of an array or for all of them.

Every array of states is one-dimensional and contiguous. ``*_at`` works on game `i` alone.
"""

import numpy as np

from pocketmars_env.engine import legality, scoring, turns
from pocketmars_env.engine.compiling import entry_point


@entry_point
def new_game_at(states, i, seed):
    """Start game `i` anew with `seed` (uint64)."""
    turns.new_game(states[i], seed)


@entry_point
def begin_at(states, i):
    """Start game `i`, whose cards have been dealt."""
    turns.begin(states[i])


@entry_point
def step_at(states, i, action):
    """Answer game `i`'s question; False, and nothing changed, if the action is not legal."""
    if states[i].over or not legality.is_legal(states[i], action):
        return False
    turns.step(states[i], action)
    return True


@entry_point
def legal_at(states, i, actions):
    """Write game `i`'s legal actions, ascending, into `actions` (int64); returns how many."""
    return legality.write_legal(states[i], actions)


@entry_point
def scores_at(states, i, scores):
    """Write every seat's score into `scores` (4,) int64; returns the set of winning seats."""
    for seat in range(len(scores)):
        scores[seat] = scoring.score(states[i], seat)
    return scoring.winners(states[i])
