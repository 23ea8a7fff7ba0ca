"""Entry point that plays random games, for benchmarks.

Like `batch.py`, this module is compiled separately for each game, but only when it is used.
"""

import numpy as np

from pocketmars_env.core.compiled import legal_actions
from pocketmars_env.core.compiled.batch import random_action, write_random_words
from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.game_kernels import OBSERVATION_TYPE, new_game, step, write_observation
from pocketmars_env.core.compiled.signatures import Matrix, Vector
from pocketmars_env.core.compiled.states import States


@entry_point
def play_all(
    states: States,
    seed: np.uint64,
    steps: int,
    words: Vector[np.uint64],
    masks: Matrix[np.int8],
    observations: Matrix[OBSERVATION_TYPE],
) -> int:
    """Play `steps` random legal actions in every game, and return how often a finished game was restarted.

    Before each action, the mask of the seat to play is written into `masks`, and its observation into
    `observations` unless this array is empty. The new seed of a finished game is its last seed + N.
    `words` (N,) is a scratch buffer.
    """
    ended = 0
    for call in range(steps):
        write_random_words(seed, call * len(words), words)
        for i in range(len(states)):
            if states[i].over:
                new_game(states[i], states[i].seed + np.uint64(len(states)))
                ended += 1
            legal_actions.write_mask(states[i], masks[i])
            if len(observations) > 0:
                write_observation(states[i], int(states[i].to_play), observations[i])
            action = random_action(states[i], words[i])
            if action >= 0:
                step(states[i], action)
    return ended
