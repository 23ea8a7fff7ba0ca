"""Games whose answers follow a rule that no library can change: for golden games and fingerprints."""

from collections.abc import Iterator
from itertools import islice
from typing import TypeVar

from pocketmars_env.core.game import Game

AnyGame = TypeVar("AnyGame", bound=Game)

MULTIPLIER, INCREMENT = 6364136223846793005, 1442695040888963407
"""Of Knuth's 64-bit linear congruential generator (MMIX)."""


def fixed_numbers(seed: int) -> Iterator[int]:
    """Endless 31-bit numbers, the same for a seed everywhere and for ever."""
    while True:
        seed = (seed * MULTIPLIER + INCREMENT) % 2**64
        yield seed >> 33


def play_fixed(game: AnyGame, seed: int, most: int | None = None) -> Iterator[AnyGame]:
    """Answer with the choices of `seed`, at most `most` times; yields the game after every answer."""
    for number in islice(fixed_numbers(seed), most):
        if game.over:
            return
        legal = game.legal()
        game.step(legal[number % len(legal)])
        yield game


def play_on(game: AnyGame, seed: int, most: int | None = None) -> AnyGame:
    """`play_fixed` for those who need only the game that comes out, which is returned."""
    for _ in play_fixed(game, seed, most):
        pass
    return game
