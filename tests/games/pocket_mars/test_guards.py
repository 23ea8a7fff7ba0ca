"""Kernels that add a card never write outside the state record, even if the state is invalid.

`possible.py` refuses such positions when a game is restored; these guards are a second safeguard.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pocketmars_env import Game, Games
from pocketmars_env.core.compiled import legal_actions
from pocketmars_env.core.compiled.compiling import entry_point
from pocketmars_env.core.compiled.states import States
from pocketmars_env.games.pocket_mars.rules import moving_cards
from pocketmars_env.games.pocket_mars.rules.actions import PLAY_HAND
from pocketmars_env.games.pocket_mars.rules.cards import CARDS_PER_SUIT, NUM_CARDS
from pocketmars_env.games.pocket_mars.rules.constants import MOST_IN_PLAY
from pocketmars_env.games.pocket_mars.rules.state import STATE


@entry_point
def put_on_deck(states):  # type: ignore[no-untyped-def]  # a kernel
    moving_cards.put_on_deck(states[0], 1)


@entry_point
def put_under_deck(states):  # type: ignore[no-untyped-def]
    moving_cards.put_under_deck(states[0], 1)


@entry_point
def discard(states):  # type: ignore[no-untyped-def]
    moving_cards.discard(states[0], 1)


@entry_point
def put_on_pile(states):  # type: ignore[no-untyped-def]
    moving_cards.put_on_pile(states[0], 1)


@entry_point
def put_face_down_on_pile(states):  # type: ignore[no-untyped-def]
    moving_cards.put_face_down_on_pile(states[0], 1)


@entry_point
def take_from_discard(states):  # type: ignore[no-untyped-def]
    moving_cards.take_from_discard(states[0], 1)


@entry_point
def nth_of_no_answers(states):  # type: ignore[no-untyped-def]
    return legal_actions.nth_legal_action(states[0], 3)


def full(field: str, size: str, most: int) -> States:
    """Return the states of one game whose `field` is full: it holds `most` cards, all of them card 0."""
    states = Games(1, seed=1).states.copy()
    states[field][0] = 0
    states[size][0] = most
    return states


GUARDED: list[tuple[Callable[[States], Any], str, str, int]] = [
    (put_on_deck, "deck", "deck_size", NUM_CARDS),
    (put_under_deck, "deck", "deck_size", NUM_CARDS),
    (discard, "discard", "discard_size", NUM_CARDS),
    (put_on_pile, "pile", "pile_size", CARDS_PER_SUIT),
    (put_face_down_on_pile, "pile", "pile_size", CARDS_PER_SUIT),
    (take_from_discard, "discard", "discard_size", NUM_CARDS),
]


@pytest.mark.parametrize(("kernel", "field", "size", "most"), GUARDED)
def test_a_full_place_takes_no_more_cards(
    kernel: Callable[[States], Any], field: str, size: str, most: int
) -> None:
    states = full(field, size, most)
    others = [name for name in STATE.names or () if name not in {field, size, "seats", "face_down"}]
    before = {name: states[name].tobytes() for name in others}
    kernel(states)
    assert {name: states[name].tobytes() for name in others} == before
    assert (states[size] <= most).all()


def test_a_third_card_in_play_is_written_nowhere() -> None:
    game = Game(players=2, seed=4)
    while game.decision != "TURN":
        game.step(game.legal()[0])
    states = game.states
    states["in_play"] = 0
    states["in_play_size"] = MOST_IN_PLAY
    game.step(next(action for action in game.legal() if action >= PLAY_HAND))
    assert (states["players"][0], states["solo"][0], states["level"][0]) == (2, 0, 0)
    assert int(states["discard_size"][0]) <= NUM_CARDS


def test_the_search_for_an_answer_ends_where_there_is_none() -> None:
    states = Games(1, seed=1).states.copy()
    states["legal_actions"] = 0
    nth_of_no_answers(states)  # without its guard, bounds checks fail here


def test_a_question_without_answers_is_not_answered_at_random() -> None:

    games = Games(3, seed=1)
    games.states["legal_actions"] = 0
    assert np.array_equal(games.random_actions(), np.zeros(3))
