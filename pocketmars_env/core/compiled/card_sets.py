"""Bit sets of card numbers or other small numbers.

A set is a non-negative ``int64`` in which bit ``c`` represents card ``c``, 0 ≤ c < 63. Like most integers in
kernels, sets are signed, because Numba's arithmetic with mixed int64 and uint64 values gives floats.
"""

import numpy as np

from pocketmars_env.core.compiled.compiling import kernel

NOTHING = np.int64(0)
"""The empty set."""


@kernel
def only(card):
    """Return the set that contains only `card`."""
    return np.int64(1) << np.int64(card)


@kernel
def has(cards, card):
    """Return whether `card` is in the set."""
    return ((cards >> np.int64(card)) & np.int64(1)) != 0


@kernel
def count(cards):
    """Return the number of cards in the set."""
    number = 0
    while cards != 0:  # LLVM compiles this loop to a popcount instruction
        cards &= cards - 1
        number += 1
    return number


@kernel
def lowest(cards):
    """Return the smallest card number in a nonempty set."""
    return count((cards & -cards) - 1)


@kernel
def without_lowest(cards):
    """Return the set without its smallest card number."""
    return cards & (cards - 1)


@kernel
def nth(cards, n):
    """Return the `n`-th smallest card number in the set, counting from 0."""
    for _ in range(n):
        cards = without_lowest(cards)
    return lowest(cards)


def members(cards: int) -> list[int]:
    """Return the members of a set in ascending order; for use outside kernels."""
    return [number for number in range(cards.bit_length()) if cards >> number & 1]
