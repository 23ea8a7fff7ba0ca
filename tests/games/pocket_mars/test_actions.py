"""The numbering of the actions."""

import pytest

from pocketmars_env import NUM_ACTIONS, Game, action_name
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS, DECISIONS, block_of, first_action
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from tests.modes import MODES
from tests.passing import passed_decisions

STARTS = {
    "PLAY_HAND": (0, 35),
    "PLAY_PREP": (35, 35),
    "PLAY_OTHER": (70, 6),
    "LAUNCH": (76, 1),
    "DISCARD_FOR_ENERGY": (77, 35),
    "PASS": (112, 1),
    "ACCEPT": (113, 1),
    "CARD": (114, 35),
    "SLOT": (149, 6),
    "SEAT": (155, 3),
    "BUILDING": (158, 5),
    "SHIFT": (163, 32),
    "SWAP": (195, 64),
    "RECALL": (259, 8),
}
"""Action block → its first action and its size. Trained policies depend on these numbers."""

NAMES = {
    0: "PLAY_HAND(Greenhouse 1)",
    34: "PLAY_HAND(Habitation g)",
    35: "PLAY_PREP(Greenhouse 1)",
    71: "PLAY_OTHER(seat +1, slot 1)",
    75: "PLAY_OTHER(seat +3, slot 1)",
    76: "LAUNCH",
    98: "DISCARD_FOR_ENERGY(Comms 1)",
    112: "PASS",
    113: "ACCEPT",
    128: "CARD(Energy 1)",
    151: "SLOT(seat +2, slot 0)",
    157: "SEAT(seat +3)",
    162: "BUILDING(Habitation)",
    163: "SHIFT(Greenhouse, self, ★→★★)",
    194: "SHIFT(Comms Center, seat +3, ★★→★)",
    195 + 16 + 4 * 2 + 1: "SWAP(Aqualab, ★ seat +2, ★★ seat +1)",
    259: "RECALL(Greenhouse, ★)",
    266: "RECALL(Comms Center, ★★)",
}


def test_there_are_267_actions() -> None:
    assert NUM_ACTIONS == 267


def test_blocks_stand_where_they_always_stood() -> None:
    assert {block.name: (first_action(block.name), block.size) for block in ACTION_BLOCKS} == STARTS


def test_names() -> None:
    assert {action: action_name(action) for action in NAMES} == NAMES


def test_names_are_unique() -> None:
    assert len({action_name(action) for action in range(NUM_ACTIONS)}) == NUM_ACTIONS


def test_every_action_lies_in_its_block() -> None:
    for action in range(NUM_ACTIONS):
        block, argument = block_of(action)
        assert 0 <= argument < block.size
        assert first_action(block.name) + argument == action


@pytest.mark.parametrize("action", [-1, 267, 1000])
def test_other_numbers_are_no_actions(action: int) -> None:
    with pytest.raises(ValueError, match=str(action)):
        action_name(action)


def test_every_decision_has_a_row() -> None:
    assert [row.name for row in DECISIONS] == [decision.name for decision in Decision]


def test_a_seat_passes_where_the_row_of_the_decision_says_so() -> None:
    passed = passed_decisions(Game, list(MODES.values()))
    assert passed == {row.name for row in DECISIONS if row.may_pass}
