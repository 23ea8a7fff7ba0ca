"""Compile every entry point that one game needs, once per version and machine."""

import functools

import numpy as np

from pocketmars_env.core import batch
from pocketmars_env.core.compiling import compile_all
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.rules.actions import NUM_ACTIONS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_SEATS
from pocketmars_env.games.pocket_mars.rules.observation import OBSERVATION_SIZE
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states


@functools.cache
def ensure_compiled() -> None:
    """Compile all entry points unless that has been done; says so when it takes long."""
    compile_all(warm_up, "rules")


def warm_up() -> None:
    """Call every entry point once with the arguments it always gets."""
    states = blank_states(1, GameConfig())
    seed = np.uint64(0)
    which = np.ones(1, dtype=np.bool_)
    actions = np.zeros(NUM_ACTIONS, dtype=np.int64)
    mask = np.zeros((1, NUM_ACTIONS), dtype=np.int8)
    observation = np.zeros((1, OBSERVATION_SIZE), dtype=np.float32)
    scores = np.zeros((1, MAX_SEATS), dtype=np.int64)
    seats = np.zeros(1, dtype=np.int64)
    words = np.zeros(1, dtype=np.uint64)
    batch.new_games(states, np.zeros(1, dtype=np.uint64), which)
    batch.new_game_at(states, 0, seed)
    batch.legal_at(states, 0, actions)
    batch.step_at(states, 0, int(actions[0]))
    batch.step_all(states, np.full(1, -1), which)
    batch.list_answers_at(states, 0)
    batch.advance_at(states, 0)
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
    batch.choose_by_masks(mask, seed, 0, choices)
    batch.step_some(states, zeros, np.full(1, -1))
    batch.play_all(states, seed, 1, words, mask, observation)
    batch.clear_tables(states)
    batch.set_up_at(states, 0)
