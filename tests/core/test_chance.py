"""Random numbers: known answers, fair shuffles, independent seeds."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare

from pocketmars_env import Game
from pocketmars_env.core.compiled.chance import mixed_word, philox, random_number
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.kernels import batch
from pocketmars_env.games.pocket_mars.snapshots.notation import blank_states

DEALS = 20_000
LEAST_P = 1e-4
"""The smallest accepted p-value. The seeds are fixed, so a test that passes once always passes."""

KNOWN_ANSWERS = [  # counter, key, first word: from the authors' Random123 library
    ((0x00000000, 0x00000000), 0x00000000, 0xFF1DAE59),
    ((0xFFFFFFFF, 0xFFFFFFFF), 0xFFFFFFFF, 0x2C3F628B),
    ((0x243F6A88, 0x85A308D3), 0x13198A2E, 0xDD7CE038),
]


@pytest.mark.parametrize(("counter", "key", "word"), KNOWN_ANSWERS)
def test_philox_gives_the_published_numbers(counter: tuple[int, int], key: int, word: int) -> None:
    low, high = counter
    assert philox(np.uint64(low), np.uint64(high), np.uint64(key)) == word


def test_random_numbers_are_fair() -> None:
    numbers = Counter(int(random_number(np.uint64(7), np.uint32(draw), 6)) for draw in range(6000))
    assert set(numbers) == set(range(6))
    assert chisquare(list(numbers.values())).pvalue > LEAST_P


def test_every_bit_of_the_seed_counts() -> None:
    seeds = [0, *(1 << bit for bit in range(64))]
    streams = {tuple(random_number(np.uint64(seed), draw, 1 << 20) for draw in range(4)) for seed in seeds}
    assert len(streams) == len(seeds)


def test_every_bit_of_a_word_counts_in_a_hash() -> None:
    words = [0, *(1 << bit for bit in range(64))]
    assert len({int(mixed_word(np.uint64(1), np.uint64(word))) for word in words}) == len(words)


def dealt() -> np.ndarray:
    """Deal `DEALS` four-player games and return their states."""
    states = blank_states(DEALS, GameConfig(players=4))
    batch.new_games(states, np.arange(DEALS, dtype=np.uint64), np.ones(DEALS, dtype=np.bool_))
    return states


def test_deals_are_fair() -> None:
    states = dealt()
    for place in range(35 - 16):
        found = np.bincount(states["deck"][:, place], minlength=35)
        assert chisquare(found).pvalue > LEAST_P, f"place {place} of the deck"
    for seat in range(4):
        hands = states["seats"]["hand"][:, seat]
        found = np.array([np.count_nonzero(hands >> card & 1) for card in range(35)])
        assert found.sum() == 4 * DEALS
        assert chisquare(found).pvalue > LEAST_P, f"seat {seat}"
    assert chisquare(np.bincount(states["starting_seat"])).pvalue > LEAST_P


def test_neighbours_in_the_deck_are_independent() -> None:
    deck = dealt()["deck"]
    pairs = np.bincount(deck[:, 0].astype(int) * 35 + deck[:, 1], minlength=35 * 35).reshape(35, 35)
    assert np.trace(pairs) == 0
    assert chisquare(pairs[~np.eye(35, dtype=bool)]).pvalue > LEAST_P


def test_seeds_give_different_games() -> None:
    seeds = [*range(200), 2**32, 2**63, 2**64 - 1]
    assert len({str(Game(seed=seed).snapshot()["deck"]) for seed in seeds}) == len(seeds)
