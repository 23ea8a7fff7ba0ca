"""Actions as sentences."""

import pytest

from pocketmars_env import NUM_ACTIONS, Game
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS, DECISIONS, first_action
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.text.action_text import BLOCK_WORDS, describe_action
from tests.builders import ACTION_NUMBER, given, play, seat
from tests.modes import MODES


def test_every_action_has_words_of_its_own() -> None:
    words = [describe_action(action) for action in range(NUM_ACTIONS)]
    by_block = {}
    for block in ACTION_BLOCKS:
        first = first_action(block.name)
        by_block[block.name] = words[first : first + block.size]
        assert len(set(by_block[block.name])) == block.size
    assert set(BLOCK_WORDS) == set(by_block)
    assert all("{" not in sentence for sentence in words)


def test_every_decision_with_a_choice_has_words() -> None:
    without = {"TURN", "SHIFT", "SWAP", "RECALL", "DA_UPGRADE"}  # the block says it
    assert {row.name for row in DECISIONS if not row.action_text} == without


@pytest.mark.parametrize(
    ("name", "decision", "words"),
    [
        ("PLAY_HAND(Comms 1)", Decision.TURN, "play Comms 1 from your hand"),
        ("PLAY_PREP(Energy 4)", Decision.TURN, "play Energy 4 from your prep module"),
        (
            "PLAY_OTHER(seat +2, slot 1)",
            Decision.TURN,
            "play the card in prep slot 1 of the second next seat",
        ),
        ("LAUNCH", Decision.TURN, "launch 1 of your colonists"),
        ("LAUNCH", Decision.PREP, "launch 1 of your colonists"),
        ("DISCARD_FOR_ENERGY(Habitation a)", Decision.TURN, "discard Habitation a for energy"),
        ("PASS", Decision.PUT_UNDER, "pass"),
        ("ACCEPT", Decision.SETTLE, "settle 1 here"),
        ("ACCEPT", None, "accept"),
        ("CARD(Aqualab 2)", Decision.PUT_UNDER, "put Aqualab 2 under the deck"),
        ("CARD(Aqualab 2)", Decision.KEEP, "keep Aqualab 2"),
        ("CARD(Aqualab 2)", None, "choose Aqualab 2"),
        ("SLOT(seat +1, slot 0)", Decision.DRAW, "draw the card in prep slot 0 of the next seat"),
        ("SEAT(seat +3)", Decision.LOOK, "look at the prep module of the third next seat"),
        ("BUILDING(Habitation)", Decision.TAKE_TOP, "take the top card of Habitation"),
        ("SHIFT(Aqualab, self, ★→★★)", Decision.SHIFT, "move your colonist in Aqualab from ★ to ★★"),
        (
            "SHIFT(Greenhouse, seat +1, ★★→★)",
            Decision.DA_UPGRADE,
            "move the colonist of the next seat in Greenhouse from ★★ to ★",
        ),
        (
            "SWAP(Energy Bank, ★ self, ★★ seat +1)",
            Decision.SWAP,
            "swap your colonist on ★ with the colonist of the next seat on ★★ in Energy Bank",
        ),
        (
            "RECALL(Comms Center, ★★)",
            Decision.RECALL,
            "bring your colonist on ★★ in Comms Center back to the Ship",
        ),
    ],
)
def test_words(name: str, decision: Decision | None, words: str) -> None:
    assert describe_action(ACTION_NUMBER[name], decision) == words


def test_a_game_describes_by_what_it_asks() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    assert game.describe(ACTION_NUMBER["PLAY_HAND(Comms 2)"]) == "play Comms 2 from your hand"
    play(game, "PLAY_HAND(Comms 2)")
    assert [game.describe(action) for action in game.legal()] == ["keep Aqualab 1", "keep Habitation g"]


@pytest.mark.parametrize("mode", MODES)
def test_legal_actions_are_told_apart_by_their_words(mode: str) -> None:
    game = Game(**MODES[mode], seed=3)
    for step in range(120):
        if game.over:
            break
        legal = game.legal()
        assert len({game.describe(action) for action in legal}) == len(legal)
        game.step(legal[step % len(legal)])
