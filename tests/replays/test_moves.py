"""Descriptions of moves name who did what, but no card that a seat does not know."""

import re
from itertools import pairwise

import pytest

from pocketmars_env import Game, GameConfig
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARDS
from pocketmars_env.games.pocket_mars.rules.constants import BUILDING_NAMES
from pocketmars_env.games.pocket_mars.text.log import move_text
from pocketmars_env.replays import Replay
from pocketmars_env.replays.moves import moves_of, seat_labels
from tests.builders import given, play, seat
from tests.fixed_play import play_on
from tests.modes import MODES

OPEN_CHOICES = ("TURN", "DISCARD", "DISCARD_SUIT", "TAKE_DISCARD")
"""The decisions whose card is played, discarded or taken openly."""


def last_words(game: Game, action: str, viewpoint: int | None = None) -> str:
    before = game.clone()
    return move_text(*before.move_to(play(game, action)), viewpoint)


def cards_in(words: str) -> set[int]:
    """Return the cards that a text names."""
    return {number for name, number in CARD_NUMBER.items() if re.search(rf"{name}\b", words)}


def a_game() -> Game:
    first = seat(hand=["Comms 1", "Greenhouse 2"], prep=["Habitation a", None])
    return given(first, seat(prep=["Energy 1", "Aqualab 2"], ship=2), seat())


def test_every_move_says_who_did_what() -> None:
    replay = Replay.of(play_on(Game(players=3, seed=1), 1, 40), ["greedy", "player_1", "random"])
    moves = list(moves_of(replay))
    assert [move.number for move in moves] == list(range(1, 41))
    assert {move.label for move in moves} == {"player_0 (greedy)", "player_1", "player_2 (random)"}
    assert str(moves[0]) == f"1. {moves[0].label}: {moves[0].words}"
    assert moves[0].words.endswith("into their prep module")
    assert [move.seat for move in moves[:6]] == [0, 0, 1, 1, 2, 2]
    assert (moves[0].round, moves[-1].round) == (1, replay.final().snapshot()["round"])
    assert [move.seat for move in moves] == [game.to_play for game in list(replay.games())[:-1]]


def test_seats_are_called_by_their_names() -> None:
    assert last_words(a_game(), "PLAY_OTHER(seat +1, slot 0)") == "play the card in prep slot 0 of player_1"
    assert seat_labels(GameConfig(mode="solo"), ("Ada", "da_0")) == ("player_0 (Ada)", "da_0")


def test_what_is_played_or_discarded_openly_is_named_to_all() -> None:
    assert last_words(a_game(), "PLAY_HAND(Comms 1)", 1) == "play Comms 1 from their hand"
    assert last_words(a_game(), "DISCARD_FOR_ENERGY(Comms 1)", 1) == "discard Comms 1 for energy"


@pytest.mark.parametrize("viewpoint", [None, 0, 1])
def test_a_card_put_aside_in_secret_is_named_to_its_owner_alone(viewpoint: int | None) -> None:
    game = Game(seed=1)
    to_play = game.to_play
    before, card = game.clone(), game.legal[0]
    game.step(card)
    words = move_text(*before.move_to(game), viewpoint)
    is_named = viewpoint in (None, to_play)
    assert words == (before.describe(card).replace("your", "their") if is_named else "choose a card")


def test_the_first_card_of_a_swap_is_not_told_before_the_swap() -> None:
    """Even after the swap, other seats cannot tell which of the two cards was chosen."""
    first = seat(hand=["Habitation d", "Comms 1", "Comms 2"], prep=["Energy 1", "Energy 2"])
    game = play(given(first, seat(knows=["Comms 1", "Comms 2"])), "PLAY_HAND(Habitation d)")
    assert game.decision == "SWAP_HAND"
    before = game.clone()
    after = play(game, "CARD(Comms 1)")
    assert move_text(*before.move_to(after), 1) == "choose a card"
    assert "Comms 1" in move_text(*before.move_to(after), 0)


@pytest.mark.parametrize("mode", MODES)
def test_no_seat_hears_of_a_card_that_it_does_not_know(mode: str) -> None:
    replay = Replay.of(play_on(Game(**MODES[mode], seed=11), 4, 150))
    for viewpoint in range(replay.config.seats):
        heard = moves_of(replay, viewpoint)
        for move, (before, after) in zip(heard, pairwise(replay.games()), strict=True):
            if viewpoint != move.seat and before.decision not in OPEN_CHOICES:
                assert cards_in(move.words) <= set(after.snapshot()["seats"][viewpoint]["knows"]), move


def test_a_hidden_card_shows_its_suit() -> None:
    replay = Replay.of(play_on(Game(players=4, seed=3), 3, 200))
    pairs = [
        [move_text(*before.move_to(after), viewpoint) for viewpoint in (None, 0)]
        for before, after in pairwise(replay.games())
    ]
    hidden = [(full, heard) for full, heard in pairs if full != heard]
    assert len(hidden) > 30
    for full, heard in hidden:
        if heard == "choose a card":
            continue
        (card,) = cards_in(full)
        suit = BUILDING_NAMES[card // 7]
        assert heard == full.replace(CARDS[card].name, f"{'an' if suit[0] in 'AE' else 'a'} {suit} card")
