"""Bit sets of cards or of other small numbers.

A set is a non-negative ``int64`` in which bit ``c`` represents card ``c``, 0 ≤ c < 63. The type is signed, as
most integers in kernels are, because Numba converts mixed signed and unsigned integers to floats.
"""

import numpy as np

from pocketmars_env.core.compiled.compiling import kernel

NOTHING = np.int64(0)
"""The empty set."""


@kernel
def only(card):
    """The set of a single card."""
    return np.int64(1) << np.int64(card)


@kernel
def has(cards, card):
    """Whether `card` is in the set."""
    return ((cards >> np.int64(card)) & np.int64(1)) != 0


@kernel
def count(cards):
    """The number of cards in the set."""
    number = 0
    while cards != 0:  # LLVM turns this loop into the processor's popcount
        cards &= cards - 1
        number += 1
    return number


@kernel
def lowest(cards):
    """The smallest card of a nonempty set."""
    return count((cards & -cards) - 1)


@kernel
def without_lowest(cards):
    """The set without its smallest card."""
    return cards & (cards - 1)


@kernel
def nth(cards, n):
    """The `n`-th smallest card of the set, counting from 0."""
    for _ in range(n):
        cards = without_lowest(cards)
    return lowest(cards)


def members(cards: int) -> list[int]:
    """The members of a set in ascending order, for use outside kernels."""
    return [number for number in range(cards.bit_length()) if cards >> number & 1]
