"""Random numbers that depend only on a seed and a counter.

The generator is Philox2x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3",
SC11): a pure function of a key and a counter. A game's state stores the seed and the number of draws.
Therefore, the same configuration, seed and actions give the same game on every platform, and a copy of a
state draws the same random numbers as the original. The generator multiplies only 32-bit numbers, so all
products fit into 64 bits.
"""

import numpy as np

from pocketmars_env.core.compiled.compiling import kernel

MULTIPLIER = np.uint64(0xD256D193)
WEYL = np.uint64(0x9E3779B9)
LOW_32 = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)
ROUNDS = 10
MIXING_ROUNDS = 4
REPLACEMENT_STREAM = np.uint64(0x9E3779B97F4A7C15)
"""A game's seed XOR this number is the seed of the stream that chooses replacements for illegal actions."""


@kernel
def philox(low, high, key):
    """Return the first 32-bit word for the counter (`low`, `high`) and a key, all uint64 below 2³²."""
    for _ in range(ROUNDS):
        product = MULTIPLIER * low
        low = (product >> HALF) ^ key ^ high
        high = product & LOW_32
        key = (key + WEYL) & LOW_32
    return low


@kernel
def random_number(seed, draw, below):
    """Return the integer in [0, `below`) at index `draw` of the random stream seeded with `seed` (uint64)."""
    return scaled(random_word(seed, draw), below)


@kernel
def random_word(seed, draw):
    """Return the 32-bit word at index `draw` of the stream seeded with `seed`; it repeats after 2³² words."""
    return philox(np.uint64(draw) & LOW_32, seed >> HALF, seed & LOW_32)


@kernel
def long_word(seed, number):
    """Return the 64-bit word that consists of the words ``2 * number`` and ``2 * number + 1`` of a stream."""
    return (random_word(seed, 2 * number) << HALF) | random_word(seed, 2 * number + 1)


@kernel
def scaled(word, below):
    """Scale a random 32-bit word to an integer in [0, `below`)."""
    return np.int64((word * np.uint64(below)) >> HALF)


@kernel
def deal_of_pool(seed, log2_deals):
    """Return the seed of the deal that `seed` (uint64) selects from a pool of 2 ** `log2_deals` deals."""
    return seed & ((np.uint64(1) << np.uint64(log2_deals)) - np.uint64(1))


@kernel
def next_random(state, below):
    """Draw the game's next random number, an integer in [0, `below`)."""
    number = random_number(state.seed, state.draws, below)
    state.draws += 1
    return number


@kernel
def shuffle(state, cards, size):
    """Shuffle the first `size` entries of `cards` with the game's random numbers (Fisher-Yates shuffle)."""
    for last in range(size - 1, 0, -1):
        other = next_random(state, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@kernel
def mixed(key, label):
    """Return a hash of `key` and the lower 32 bits of `label` (both uint64), using four rounds of Philox."""
    low, high, word = (key ^ label) & LOW_32, key >> HALF, (label + WEYL) & LOW_32
    for _ in range(MIXING_ROUNDS):
        product = MULTIPLIER * low
        low = (product >> HALF) ^ word ^ high
        high = product & LOW_32
        word = (word + WEYL) & LOW_32
    return (low << HALF) | high


@kernel
def mixed_word(key, word):
    """Return a hash of `key` and all 64 bits of `word` (both uint64)."""
    return mixed(mixed(key, word), word >> HALF)
