"""Compilation of all entry points of a game, once per version and machine."""

import functools

import numpy as np

from pocketmars_env.core.compiled import masks
from pocketmars_env.core.compiled.compiling import compile_all, for_game
from pocketmars_env.core.game_spec import GameSpec


@functools.cache
def ensure_compiled(spec: GameSpec) -> None:
    """Compile all entry points of a game unless they are cached; prints a message if it takes long."""
    with for_game(spec.kernels.folder):
        compile_all(lambda: warm_up(spec), "rules", spec.title)


def warm_up(spec: GameSpec) -> None:
    """Call every entry point once with arguments of its usual types."""
    batch = spec.batch
    states = spec.blank_states(1, spec.config())
    seed = np.uint64(0)
    which = np.ones(1, dtype=np.bool_)
    actions = np.zeros(spec.num_actions, dtype=np.int64)
    mask = np.zeros((1, spec.num_actions), dtype=np.int8)
    observation = np.zeros((1, spec.observation_size), dtype=np.float32)
    scores = np.zeros((1, spec.max_seats), dtype=np.int64)
    seats = np.zeros(1, dtype=np.int64)
    words = np.zeros(1, dtype=np.uint64)
    batch.new_games(states, np.zeros(1, dtype=np.uint64), which)
    batch.new_game_at(states, 0, seed)
    batch.legal_at(states, 0, actions)
    batch.step_at(states, 0, int(actions[0]))
    batch.step_all(states, np.full(1, -1), which)
    batch.mask_at(states, 0, 0, mask[0])
    batch.observe_at(states, 0, 0, observation[0], mask[0])
    batch.determinize_at(states, 0, 0, seed, True, states.copy(), 0)
    batch.mask_all(states, mask)
    batch.observe_all(states, seats, observation, mask)
    batch.scores_at(states, 0, scores[0])
    batch.scores_all(states, scores, seats)
    batch.choose_all(states, seed, 0, words, seats)
    zeros, choices = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    batch.views_of(states, zeros, zeros, states.copy())
    batch.next_words(words.copy(), zeros.copy(), zeros, words)
    batch.choose_by_words(states, words, choices)
    batch.step_some(states, zeros, np.full(1, -1))
    batch.play_all(states, seed, 1, words, mask, observation)
    masks.choose_by_masks(mask, seed, 0, choices)
    spec.warm_up()
