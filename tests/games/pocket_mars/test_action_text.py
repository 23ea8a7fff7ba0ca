"""Descriptions of actions in words."""

import re

import pytest

from pocketmars_env import NUM_ACTIONS, Game
from pocketmars_env.games.pocket_mars.rules.actions import ACTION_BLOCKS, DECISIONS, first_action
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES, Decision
from pocketmars_env.games.pocket_mars.seat_view.see import see
from pocketmars_env.games.pocket_mars.snapshots.phases import phases_of
from pocketmars_env.games.pocket_mars.text.action_text import BLOCK_WORDS, describe_action
from tests.builders import ACTION_NUMBER, given, play, seat
from tests.fixed_play import play_fixed
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
    without = {"TURN", "SHIFT", "SWAP", "RECALL", "DA_UPGRADE"}  # the block's own text is enough
    assert {row.name for row in DECISIONS if not row.action_text} == without


@pytest.mark.parametrize("decision", [None, Decision.TURN, Decision.PUT_UNDER, Decision.KEEP])
def test_words_name_the_card_or_building_of_an_action(decision: Decision | None) -> None:
    for name, action in ACTION_NUMBER.items():
        argument = name.partition("(")[2].partition(",")[0].rstrip(")")
        if argument in CARD_NUMBER or argument in BUILDING_NAMES:
            assert argument in describe_action(action, decision)


def test_words_of_a_decision_differ_from_those_of_another() -> None:
    card = ACTION_NUMBER["CARD(Aqualab 2)"]
    words = {describe_action(card, row) for row in (None, Decision.PUT_UNDER, Decision.KEEP, Decision.FILL)}
    assert len(words) == 4


def test_a_game_describes_by_what_it_asks() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    assert game.describe(ACTION_NUMBER["PLAY_HAND(Comms 2)"]) == "play Comms 2 from your hand"
    play(game, "PLAY_HAND(Comms 2)")
    assert [game.describe(action) for action in game.legal] == ["keep Aqualab 1", "keep Habitation g"]


@pytest.mark.parametrize("mode", MODES)
def test_legal_actions_are_told_apart_by_their_words(mode: str) -> None:
    game = Game(**MODES[mode], seed=3)
    for step in range(120):
        if game.over:
            break
        legal = game.legal
        assert len({game.describe(action) for action in legal}) == len(legal)
        game.step(legal[step % len(legal)])


def points_of_yes(game: Game) -> int:
    """Return the points that the answer yes states; check that the seat gets them at once."""
    seat = game.to_play or 0
    yes = next(one for one in game.view().choices if one.action == ACTION_NUMBER["ACCEPT"])
    stated = re.search(r"\+(\d+) point", yes.note)
    assert stated is not None
    _, states = phases_of(game.states_with_chance, yes.action)[0]
    assert see(states, None).seats[seat].score - game.scores[seat] == int(stated[1])
    return int(stated[1])


@pytest.mark.parametrize("mode", MODES)
def test_the_answer_yes_states_the_points_of_settling(mode: str) -> None:
    decisions = set()
    for seed in range(20):
        for game in play_fixed(Game(**MODES[mode], seed=seed), seed, 400):
            if game.decision in ("SETTLE", "SETTLE_MORE"):
                decisions.add(game.decision)
                points_of_yes(game)
    assert "SETTLE" in decisions


@pytest.mark.parametrize(
    ("star", "points"),
    [([0, 0, 0, 0], 1), ([0, 1, 1, 1], 1 + 2), ([3, 1, 0, 0], 1 + 3), ([3, 1, 1, 0], 1 + 3)],
)
def test_the_answer_yes_states_the_bonuses_of_settling(star: list[int], points: int) -> None:
    game = given(seat(prep=["Greenhouse 7", "Aqualab 1"], ship=1, star=star), seat())
    play(game, "PLAY_PREP(Greenhouse 7)")
    assert game.decision == "SETTLE"
    assert points_of_yes(game) == points
