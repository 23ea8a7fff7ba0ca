"""A seat view agrees with the engine and hides what the seat may not know."""

import numpy as np
import pytest

from pocketmars_env import Game, observation_pieces
from pocketmars_env.core.presentation.presenting import seat_view_of
from pocketmars_env.games.pocket_mars.observation.layout import STAR2_SCALE, VALUE_SCALE
from pocketmars_env.games.pocket_mars.rules.actions import first_action
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from pocketmars_env.games.pocket_mars.rules.constants import NO_DECISION, NO_SEAT, NUM_BUILDINGS
from pocketmars_env.games.pocket_mars.seat_view.seat_view import SeenCard
from pocketmars_env.games.pocket_mars.text.seat_view_text import badges, details
from tests.builders import COMMS_CENTER, GREENHOUSE, HABITATION, all_but, given, play, seat
from tests.drawing.positions import positions, viewpoints
from tests.modes import MODES


@pytest.mark.parametrize("mode", MODES)
def test_a_viewpoint_sees_the_same_in_all_worlds_that_it_cannot_tell_apart(mode: str) -> None:
    rng = np.random.default_rng(1)
    differing = 0
    for game in positions(mode, games=3, every=14):
        for viewer in range(game.seats):
            world = game.view(viewer).sample(rng)
            differing += game.snapshot() != world.snapshot()
            assert seat_view_of(game, viewer) == seat_view_of(world, viewer)
    assert differing > 10


@pytest.mark.parametrize("mode", MODES)
def test_places_and_values_are_those_of_the_observation(mode: str) -> None:
    for game in positions(mode, every=12):
        table = seat_view_of(game)
        seen = observation_pieces(game.observe(0))
        for building in range(NUM_BUILDINGS):
            taken = sum(entry.star2[building] for entry in table.seats)
            free = seen["free_star2"][building] * STAR2_SCALE
            assert table.places_on_star2 - taken == round(float(free))
            to_beat = seen["buildings"][building, 0] * VALUE_SCALE
            assert table.value_to_beat(building) == round(float(to_beat))
        assert table.value_to_beat(HABITATION) is None
        assert table.is_last_round == bool(seen["last_round"][0])


@pytest.mark.parametrize("mode", MODES)
def test_the_winners_are_the_engines(mode: str) -> None:
    for game in positions(mode, games=20, every=10**6):
        assert list(seat_view_of(game).winners) == game.winners


def ended(game: Game) -> Game:
    """Change a game's state to one that is over, and return the game."""
    game.states["over"], game.states["to_play"], game.states["decision"] = 1, NO_SEAT, NO_DECISION
    return game


def test_the_tie_break_of_the_edition_decides() -> None:
    # 9 points each: 1 for energy, and 8 for one colonist on ★★ and two on ★, or for four on ★ (no bonus)
    winners = []
    for edition in ("grey_fox", "board_and_dice"):
        game = given(
            seat(star=[2, 0, 0, 0], star2=[0, 1, 0, 0], ship=0),
            seat(star=[2, 1, 1, 0], ship=0),
            edition=edition,
        )
        assert game.scores == [9, 9]
        winners.append(seat_view_of(ended(game)).winners)
    assert winners == [(1,), (0,)]


def test_a_seat_sees_its_own_cards_the_backs_of_others_and_what_it_has_looked_at() -> None:
    game = given(
        seat(hand=["Comms 1", "Greenhouse 7"], prep=["Energy 2", "Habitation a"], knows=["Aqualab 3"]),
        seat(hand=["Comms 2", "Greenhouse 1"], prep=["Aqualab 3", "Habitation b"]),
        deck=["Energy 5"],
        piles={COMMS_CENTER: ["Comms 7", "Comms 3"], GREENHOUSE: ["Greenhouse 4"]},
        face_down=["Comms 3"],
    )
    table = seat_view_of(game, 0)
    own, other = table.seats
    assert own.hand == (seen("Greenhouse 7", True), seen("Comms 1", True))
    assert own.prep == (seen("Energy 2", False), seen("Habitation a", False))
    assert other.hand == (SeenCard(GREENHOUSE, None, False), SeenCard(COMMS_CENTER, None, False))
    assert other.prep == (seen("Aqualab 3", False), SeenCard(HABITATION, None, False))
    assert table.piles[COMMS_CENTER] == (seen("Comms 7", True), SeenCard(COMMS_CENTER, None, False))
    assert table.value_to_beat(COMMS_CENTER) == 0
    assert table.deck_back() == SeenCard(2, None, False)
    everything = seat_view_of(game)
    assert all(card and card.card is not None for entry in everything.seats for card in entry.prep)


def seen(name: str, is_open: bool) -> SeenCard:
    card = CARD_NUMBER[name]
    return SeenCard(card // 7, card, is_open)


def test_drawn_cards_are_held_apart_from_the_hand() -> None:
    game = given(seat(hand=["Comms 2", "Energy 7"]), seat(), deck=["Aqualab 5", "Energy 5"])
    play(game, "PLAY_HAND(Comms 2)")
    assert game.decision == "KEEP"
    own, other = seat_view_of(game, 0), seat_view_of(game, 1)
    assert own.drawn == (seen("Aqualab 5", True), seen("Energy 5", True))
    assert own.seats[0].hand == (seen("Energy 7", True),)
    assert other.drawn == (SeenCard(1, None, False), SeenCard(2, None, False))
    assert own.resolving.startswith("Comms 2, top: draw 2")
    assert ("drawn", seen("Energy 5", True)) in own.cards_in_focus()


def test_the_card_chosen_first_for_a_swap_is_shown_to_its_seat_alone() -> None:
    first = seat(hand=["Aqualab 3", "Energy 7"], prep=["Comms 1", "Comms 4"])
    game = given(first, seat(knows=["Comms 1"]))
    play(game, "PLAY_HAND(Aqualab 3)", "CARD(Comms 1)")
    assert game.decision == "SWAP_OTHER"
    seen_by = [seat_view_of(game, viewpoint).picked for viewpoint in viewpoints(game)]
    assert seen_by == [CARD_NUMBER["Comms 1"], CARD_NUMBER["Comms 1"], None]


def test_cards_put_under_the_deck_show_their_suits_and_to_some_their_faces() -> None:
    game = given(seat(knows=["Comms 6"]), seat(knows=["Energy 1"]), under=["Comms 6", "Energy 1"])
    known = {
        viewpoint: [card.card for card in seat_view_of(game, viewpoint).under]
        for viewpoint in viewpoints(game)
    }
    comms, energy = CARD_NUMBER["Comms 6"], CARD_NUMBER["Energy 1"]
    assert known == {None: [comms, energy], 0: [comms, None], 1: [None, energy]}
    table = seat_view_of(game, 1)
    assert [card.suit for card in table.under] == [COMMS_CENTER, 2]
    assert table.under_title == f"cards {table.deck - 1} to {table.deck}"
    assert table.deck_back() == SeenCard(table.deck_top or 0, None, False)


def test_the_top_card_of_the_deck_is_known_if_it_was_put_there() -> None:
    game = given(seat(knows=["Comms 6"]), seat(), under=["Comms 6"], discard=all_but("Comms 6")[:26])
    assert seat_view_of(game, 0).deck_back() == seen("Comms 6", False)
    assert seat_view_of(game, 0).under_title == "card 1"
    assert seat_view_of(game, 1).deck_back() == SeenCard(COMMS_CENTER, None, False)


@pytest.mark.parametrize("mode", ["two", "three_draft"])
def test_choices_of_the_setup_are_shown_to_their_seat_alone(mode: str) -> None:
    game = Game(**MODES[mode], seed=1)
    card = game.legal[0] - first_action("CARD")
    place = "packet" if game.decision == "DRAFT" else "hand"
    game.step(game.legal[0])
    own, other = seat_view_of(game, 0).seats[0], seat_view_of(game, 1).seats[0]
    assert [entry.card for entry in own.pending] == [card]
    assert card not in [entry.card for entry in getattr(own, place)]
    assert other.pending == ()
    assert len(getattr(other, place)) == len(getattr(own, place)) + 1
    assert other == seat_view_of(Game(**MODES[mode], seed=1), 1).seats[0]


def test_nobody_starts_before_the_first_turn() -> None:
    for seed in range(6):
        game, expected = Game(players=3, draft=True, seed=seed), None
        while game.decision != "TURN":
            table = seat_view_of(game)
            assert table.starting_seat is None
            assert [badges(table, number) for number in range(3)].count(["to play"]) == 1
            assert sum(len(badges(table, number)) for number in range(3)) == 1
            expected = game.snapshot()["starting_seat"]
            game.step(game.legal[0])
        assert seat_view_of(game).starting_seat == expected


def test_the_handicap_counts_for_the_winner() -> None:
    da = seat(hand=[], star=[1, 0, 0, 0], ship=0)
    for handicap, winner in ((0, 0), (1, 0), (9, 1)):
        game = given(seat(star=[3, 0, 0, 0], ship=0), da, mode="solo", handicap=handicap)
        table = seat_view_of(ended(game))
        assert table.winners == (winner,)
        assert ("handicap" in details(table)) == (handicap > 0)
        assert table.handicap == handicap


def test_wrong_arguments_are_refused() -> None:
    game = Game(players=3, seed=1)
    with pytest.raises(ValueError, match="viewpoint"):
        seat_view_of(game, 3)
    with pytest.raises(ValueError, match="viewpoint"):
        seat_view_of(game, True)
