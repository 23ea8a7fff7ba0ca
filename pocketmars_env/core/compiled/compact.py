"""Entry points for observations in uint8: the counterparts of those in `batch.py`, compiled on first use."""

import numpy as np

from pocketmars_env.core.compiled.batch import random_action, write_mask_of, write_random_words
from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.game_kernels import new_game, step, write_counts


@entry_point
def observe_all(states, seats, observations, masks):
    """Write observation and mask of one seat per game; ``seats[i]`` = -1 selects the seat to play.

    `observations` is (N, OBSERVATION_SIZE) uint8, `masks` (N, NUM_ACTIONS) int8. In a finished game -1
    selects seat 0.
    """
    for i in range(len(states)):
        seat = int(seats[i]) if seats[i] >= 0 else int(states[i].to_play)
        write_counts(states[i], max(seat, 0), observations[i])
        write_mask_of(states[i], seat, masks[i])


@entry_point
def play_all(states, seed, steps, words, masks, observations):
    """Play `steps` random legal actions in every game; `observations` is (N, OBSERVATION_SIZE) uint8.

    See `batch.play_all`.
    """
    ended = 0
    for call in range(steps):
        write_random_words(seed, call * len(words), words)
        for i in range(len(states)):
            if states[i].over:
                new_game(states[i], states[i].seed + np.uint64(len(states)))
                ended += 1
            write_counts(states[i], int(states[i].to_play), observations[i])
            write_mask_of(states[i], states[i].to_play, masks[i])
            action = random_action(states[i], words[i])
            if action >= 0:
                step(states[i], action)
    return ended
