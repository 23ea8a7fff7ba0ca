"""Play with actions that do not depend on any library, for golden games and comparisons."""

from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from pocketmars_env.core.game import Game

AnyGame = TypeVar("AnyGame", bound=Game)

MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407
"""Constants of Knuth's 64-bit linear congruential generator (MMIX)."""


def fixed_numbers(seed: int) -> Iterator[int]:
    """Yield an endless stream of 31-bit numbers that depends only on the seed."""
    while True:
        seed = (seed * MULTIPLIER + INCREMENT) % 2**64
        yield seed >> 33


def play_fixed(game: AnyGame, seed: int, most: int | None = None) -> Iterator[AnyGame]:
    """Play actions determined by `seed`, at most `most`; yield the game after each action."""
    for number in islice(fixed_numbers(seed), most):
        if game.over:
            return
        legal = game.legal
        game.step(legal[number % len(legal)])
        yield game


def play_on(game: AnyGame, seed: int, most: int | None = None) -> AnyGame:
    """Like `play_fixed`, but returns only the final game."""
    for _ in play_fixed(game, seed, most):
        pass
    return game
