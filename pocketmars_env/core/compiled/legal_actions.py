"""The set of legal actions of a state: `state.answers`, the actions' numbers as bits, 60 to a word.

A game lists its legal actions once, when a decision comes up: `clear_answers`, then `allow` for each kind of
action. Everything else reads the set.
"""

import numpy as np

from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, nth, without_lowest
from pocketmars_env.core.compiled.compiling import hot_kernel, kernel, shorthand

ANSWER_BITS = 60
"""Actions are kept 60 to a word, so that no word is ever negative."""
WORD_MASK = np.int64((1 << ANSWER_BITS) - 1)


def words_for(num_actions: int) -> int:
    """How many words hold a set of so many actions."""
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
    """Whether `action` (0 ≤ action < NUM_ACTIONS) answers the question that stands."""
    return has(state.answers[action // ANSWER_BITS], action % ANSWER_BITS)


@kernel
def count_answers(state):
    """How many answers the question has."""
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
    """Write the legal actions, ascending, into the array `actions`; returns how many."""
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
    """Write the action mask, (NUM_ACTIONS,) of 0 and 1, of the seat that is asked."""
    for action in range(len(mask)):
        mask[action] = 0
    for word in range(len(state.answers)):
        answers = state.answers[word]
        while answers != NOTHING:
            mask[word * ANSWER_BITS + lowest(answers)] = 1
            answers = without_lowest(answers)
