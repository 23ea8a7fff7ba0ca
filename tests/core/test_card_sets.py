"""Card sets stored as bits agree with lists of cards."""

import numpy as np
import pytest

from pocketmars_env.core.compiled import card_sets
from pocketmars_env.core.compiled.card_sets import NOTHING, count, has, lowest, nth, only, without_lowest
from pocketmars_env.games.pocket_mars.rules.cards import NUM_CARDS
from pocketmars_env.games.pocket_mars.snapshots.notation import set_of

SETS = [[], [0], [34], [0, 34], [3, 4, 31, 32, 33], list(range(NUM_CARDS)), [59], [0, 31, 32, 58, 59]]
"""Sets of cards, and sets of actions in a 60-bit word."""


def bits(members: list[int]) -> np.int64:
    return np.int64(sum(1 << member for member in members))


@pytest.mark.parametrize("members", SETS, ids=str)
def test_membership_and_size(members: list[int]) -> None:
    cards = bits(members)
    assert count(cards) == len(members)
    assert [card for card in range(60) if has(cards, card)] == members


@pytest.mark.parametrize("members", [members for members in SETS if members], ids=str)
def test_members_in_order(members: list[int]) -> None:
    cards = bits(members)
    assert lowest(cards) == members[0]
    assert without_lowest(cards) == bits(members[1:])
    assert [nth(cards, n) for n in range(len(members))] == members


def test_sets_of_one() -> None:
    assert [int(only(card)) for card in range(60)] == [1 << card for card in range(60)]
    assert NOTHING == 0


@pytest.mark.parametrize("members", SETS[:6], ids=str)
def test_lists_and_sets_of_cards(members: list[int]) -> None:
    assert set_of(members) == bits(members)
    assert card_sets.members(set_of(members)) == members
