"""The legal actions of a state as a bit set, `state.legal_actions`, with 60 actions per word.

For each decision, a game clears this set with `clear_legal_actions` and calls `allow` for each block of legal
actions; all other code only reads the set. When the game is over, the set is empty.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, nth, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel, shorthand

ACTIONS_PER_WORD = 60
"""The number of actions per word; int64 words use only 60 of their 64 bits, so they are never negative."""
WORD_MASK = np.int64((1 << ACTIONS_PER_WORD) - 1)


@kernel
def clear_legal_actions(state):
    """Clear the set of legal actions."""
    for word in range(len(state.legal_actions)):
        state.legal_actions[word] = NOTHING


@shorthand
def allow(state, first, arguments):
    """Add the action ``first + argument`` for every argument in the bit set `arguments`."""
    word, place = first // ACTIONS_PER_WORD, first % ACTIONS_PER_WORD
    state.legal_actions[word] |= (arguments << place) & WORD_MASK
    rest = arguments >> (ACTIONS_PER_WORD - place)
    if rest != 0:
        state.legal_actions[word + 1] |= rest


@kernel
def is_legal(state, action):
    """Return whether `action` (0 ≤ action < NUM_ACTIONS) is legal at the current decision."""
    return has(state.legal_actions[action // ACTIONS_PER_WORD], action % ACTIONS_PER_WORD)


@kernel
def count_legal_actions(state):
    """Return the number of legal actions."""
    number = 0
    for word in range(len(state.legal_actions)):
        number += count(state.legal_actions[word])
    return number


@hot_kernel
def nth_legal_action(state, n):
    """Return the `n`-th legal action in ascending order, counting from 0."""
    word = 0
    while word < len(state.legal_actions) - 1 and n >= count(state.legal_actions[word]):
        n -= count(state.legal_actions[word])
        word += 1
    return word * ACTIONS_PER_WORD + nth(state.legal_actions[word], n)


@kernel
def write_legal(state, actions):
    """Write the legal actions into the array `actions` in ascending order, and return their number."""
    number = 0
    for word in range(len(state.legal_actions)):
        left = state.legal_actions[word]
        while left != NOTHING:
            actions[number] = word * ACTIONS_PER_WORD + lowest(left)
            left = without_lowest(left)
            number += 1
    return number


@hot_kernel
def write_mask(state, mask):
    """Write 1 into `mask` (NUM_ACTIONS,) for every legal action, and 0 for every other action."""
    for action in range(len(mask)):
        mask[action] = 0
    for word in range(len(state.legal_actions)):
        left = state.legal_actions[word]
        while left != NOTHING:
            mask[word * ACTIONS_PER_WORD + lowest(left)] = 1
            left = without_lowest(left)
