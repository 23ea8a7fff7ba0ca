"""The legal actions of a state as a bit set, `state.answers`, with 60 actions per word.

A game computes its legal actions once per decision: `clear_answers`, then `allow` for each kind of
action. All other code reads the set.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, nth, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel, shorthand

ANSWER_BITS = 60
"""Actions per word; with 60, words are never negative."""
WORD_MASK = np.int64((1 << ANSWER_BITS) - 1)


def words_for(num_actions: int) -> int:
    """The number of words of a set of `num_actions` actions."""
    return -(-num_actions // ANSWER_BITS)


@kernel
def clear_answers(state):
    """Empty the set."""
    for word in range(len(state.answers)):
        state.answers[word] = NOTHING


@shorthand
def allow(state, first, arguments):
    """Add the actions ``first + argument``."""
    word, place = first // ANSWER_BITS, first % ANSWER_BITS
    state.answers[word] |= (arguments << place) & WORD_MASK
    rest = arguments >> (ANSWER_BITS - place)
    if rest != 0:
        state.answers[word + 1] |= rest


@kernel
def is_legal(state, action):
    """Whether `action` (0 ≤ action < NUM_ACTIONS) is legal at the current decision."""
    return has(state.answers[action // ANSWER_BITS], action % ANSWER_BITS)


@kernel
def count_answers(state):
    """The number of legal actions."""
    number = 0
    for word in range(len(state.answers)):
        number += count(state.answers[word])
    return number


@hot_kernel
def nth_answer(state, n):
    """The legal action with exactly `n` smaller ones."""
    word = 0
    while word < len(state.answers) - 1 and n >= count(state.answers[word]):
        n -= count(state.answers[word])
        word += 1
    return word * ANSWER_BITS + nth(state.answers[word], n)


@kernel
def write_legal(state, actions):
    """Write the legal actions, ascending, into the array `actions`; returns their number."""
    number = 0
    for word in range(len(state.answers)):
        answers = state.answers[word]
        while answers != NOTHING:
            actions[number] = word * ANSWER_BITS + lowest(answers)
            answers = without_lowest(answers)
            number += 1
    return number


@hot_kernel
def write_mask(state, mask):
    """Write the action mask, (NUM_ACTIONS,) of 0 and 1, of the seat to play."""
    for action in range(len(mask)):
        mask[action] = 0
    for word in range(len(state.answers)):
        answers = state.answers[word]
        while answers != NOTHING:
            mask[word * ANSWER_BITS + lowest(answers)] = 1
            answers = without_lowest(answers)
