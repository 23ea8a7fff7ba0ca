"""The rulebook: its worked examples, and the rules for 2 to 4 players.

Cards, Buildings, scoring and the draft have their own test files.
"""

from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER, CARDS
from tests.builders import (
    AQUALAB,
    COMMS_CENTER,
    ENERGY_BANK,
    GREENHOUSE,
    HABITATION,
    all_but,
    at,
    choices,
    decision_of,
    given,
    play,
    seat,
    table,
)

# --- the worked examples --------------------------------------------------------------------------


def test_example_filip_plays_aqualab_6_draws_two_and_discards_one() -> None:
    filip = seat(hand=["Aqualab 6", "Comms 1"], prep=["Energy 1", "Energy 2"])
    game = play(given(filip, seat(), deck=["Greenhouse 1", "Greenhouse 2"]), "PLAY_HAND(Aqualab 6)")
    assert at(game, 0)["hand"] == ["Greenhouse 1", "Greenhouse 2", "Comms 1"]
    assert at(game, 0)["prep"] == ["Energy 1", "Energy 2"]
    assert decision_of(game) == (0, "DISCARD", ["CARD(Greenhouse 1)", "CARD(Greenhouse 2)", "CARD(Comms 1)"])
    play(game, "CARD(Comms 1)")
    assert at(game, 0)["hand"] == ["Greenhouse 1", "Greenhouse 2"]
    assert table(game)["discard"] == ["Aqualab 6", "Comms 1"]
    assert (game.to_play, game.decision) == (1, "TURN")


def test_example_matt_plays_energy_1_onto_a_7() -> None:
    matt = seat(hand=["Comms 2", "Aqualab 1"], prep=["Energy 1", "Habitation a"], ship=1, energy=1)
    filip = seat(star=[0, 0, 1, 0])
    game = given(matt, filip, piles={ENERGY_BANK: ["Energy 7"]}, deck=["Greenhouse 3"])
    play(game, "PLAY_PREP(Energy 1)")
    assert table(game)["piles"][ENERGY_BANK] == ["Energy 7", "Energy 1"]
    assert (game.to_play, game.decision) == (0, "BOTTOM")  # 1 does not beat 7: nobody settles
    play(game, "ACCEPT")
    assert (at(game, 0)["earth"], at(game, 0)["ship"]) == (4, 3)
    assert (game.to_play, game.decision) == (0, "ABILITY")
    play(game, "ACCEPT")
    assert at(game, 0)["energy"] == 2
    assert at(game, 0)["hand"] == ["Greenhouse 3", "Aqualab 1", "Comms 2"]
    assert (game.to_play, game.decision) == (0, "FILL")
    play(game, "CARD(Aqualab 1)")
    assert at(game, 0)["prep"] == ["Aqualab 1", "Habitation a"]
    assert at(game, 0)["hand"] == ["Greenhouse 3", "Comms 2"]
    assert (game.to_play, game.decision) == (1, "TURN")


def test_example_filip_plays_greenhouse_5_from_matts_module() -> None:
    filip = seat(hand=["Comms 2", "Comms 3"], prep=["Energy 2", "Energy 3"], star=[1, 0, 0, 0])
    matt = seat(hand=["Greenhouse 1", "Comms 1"], prep=["Greenhouse 5", "Energy 1"], ship=1)
    game = given(filip, matt, deck=["Aqualab 1"])
    play(game, "PLAY_OTHER(seat +1, slot 0)")
    assert table(game)["piles"][GREENHOUSE] == ["Greenhouse 5"]
    assert (game.to_play, game.decision) == (1, "BOTTOM")  # 5 beats 3, but that settles nobody here
    play(game, "ACCEPT")
    assert (at(game, 1)["earth"], at(game, 1)["ship"]) == (5, 2)
    assert (game.to_play, game.decision) == (0, "ABILITY")
    play(game, "ACCEPT")  # Filip's is the only colonist that can move
    assert (at(game, 0)["star"], at(game, 0)["star2"]) == ([0] * 4, [1, 0, 0, 0])
    assert decision_of(game) == (1, "FILL", ["CARD(Greenhouse 1)", "CARD(Aqualab 1)", "CARD(Comms 1)"])
    play(game, "CARD(Comms 1)")
    assert at(game, 1)["prep"] == ["Comms 1", "Energy 1"]
    assert (game.to_play, game.decision) == (1, "TURN")


# --- setup ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_starts_with_one_colonist_on_the_ship_one_energy_and_four_cards(players: int) -> None:
    data = table(Game(players=players, seed=1))
    for entry in data["seats"]:
        assert (entry["earth"], entry["ship"], entry["energy"]) == (6, 1, 1)
        assert entry["star"] == entry["star2"] == [0] * 4
        assert (len(entry["hand"]), entry["prep"]) == (4, [None, None])
    assert len(data["deck"]) == 35 - 4 * players
    assert data["discard"] == data["in_play"] == []
    assert data["piles"] == [[]] * 5
    assert data["round"] == 1


def test_everybody_puts_two_cards_into_the_prep_module_before_the_starting_player_is_shown() -> None:
    hands = [[0, 1, 2, 3], [7, 8, 9, 10], [14, 15, 16, 17]]
    rest = [card for card in range(35) if not any(card in hand for hand in hands)]
    game = Game.from_deal({"hands": hands, "deck": rest, "starting_seat": 1})
    to_play = []
    while game.decision == "PREP":
        to_play.append(game.to_play)
        game.step(game.legal[-1])
    assert to_play == [0, 0, 1, 1, 2, 2]
    assert at(game, 1)["prep"] == ["Aqualab 4", "Aqualab 3"]
    assert at(game, 1)["hand"] == ["Aqualab 1", "Aqualab 2"]
    assert (game.to_play, game.decision) == (1, "TURN")
    assert table(game)["deck"] == [CARDS[card].name for card in rest]


def test_the_starting_player_and_the_deal_are_random() -> None:
    tables = [table(Game(players=4, seed=seed)) for seed in range(40)]
    assert {data["starting_seat"] for data in tables} == {0, 1, 2, 3}
    assert len({tuple(data["deck"]) for data in tables}) == 40


# --- the course of the game -----------------------------------------------------------------------


def test_turns_go_clockwise_and_every_round_begins_with_the_same_player() -> None:
    game = given(seat(), seat(), seat(), starting_seat=2, active_seat=2, round_=4)
    turns = []
    for _ in range(7):
        turns.append((table(game)["round"], game.to_play))
        play(game, "LAUNCH")
    assert turns == [(4, 2), (4, 0), (4, 1), (5, 2), (5, 0), (5, 1), (6, 2)]


def test_a_turn_offers_exactly_the_five_actions() -> None:
    own = seat(hand=["Comms 1", "Comms 2"], prep=["Energy 1", "Energy 2"])
    assert choices(given(own, seat(), seat())) == [
        "PLAY_HAND(Comms 1)",
        "PLAY_HAND(Comms 2)",
        "PLAY_PREP(Energy 1)",
        "PLAY_PREP(Energy 2)",
        "PLAY_OTHER(seat +1, slot 0)",
        "PLAY_OTHER(seat +1, slot 1)",
        "PLAY_OTHER(seat +2, slot 0)",
        "PLAY_OTHER(seat +2, slot 1)",
        "LAUNCH",
        "DISCARD_FOR_ENERGY(Energy 1)",
        "DISCARD_FOR_ENERGY(Energy 2)",
        "DISCARD_FOR_ENERGY(Comms 1)",
        "DISCARD_FOR_ENERGY(Comms 2)",
    ]


@pytest.mark.parametrize(
    ("taken", "ship", "settled"), [((), 1, 0), ((0,), 0, 1), ((1,), 2, 0), ((2,), 2, 0), ((0, 1, 2), 2, 1)]
)
def test_a_card_from_prep_settles_does_its_bottom_action_and_the_ability_each_if_wanted(
    taken: tuple[int, ...], ship: int, settled: int
) -> None:
    own = seat(hand=["Energy 1", "Comms 1"], prep=["Greenhouse 4", "Comms 7"], ship=1)
    game = play(given(own, seat()), "PLAY_PREP(Comms 7)")
    assert table(game)["piles"][COMMS_CENTER] == ["Comms 7"]
    decisions = []
    for step in range(3):
        decisions.append(game.decision)
        assert choices(game) == ["PASS", "ACCEPT"]
        play(game, "ACCEPT" if step in taken else "PASS")
    assert decisions == ["SETTLE", "BOTTOM", "ABILITY"]
    assert (at(game, 0)["ship"], at(game, 0)["star"]) == (ship, [0, 0, 0, settled])


@pytest.mark.parametrize(
    ("under", "is_higher"),
    [
        (["Comms 4"], True),
        (["Comms 6"], False),
        (["Comms 7", "Comms 1"], True),
        (["Comms 1", "Comms 7"], False),
    ],
)
def test_only_a_higher_value_than_the_card_directly_under_it_settles(
    under: list[str], is_higher: bool
) -> None:
    own = seat(hand=["Energy 1", "Energy 2"], prep=["Comms 5", "Energy 3"], ship=1)
    game = play(given(own, seat(), piles={COMMS_CENTER: under}), "PLAY_PREP(Comms 5)")
    assert (game.decision == "SETTLE") == is_higher


@pytest.mark.parametrize(("card", "is_higher"), [("Energy 3", False), ("Energy 4", True)])
def test_the_first_card_is_compared_with_the_buildings_value_of_3(card: str, is_higher: bool) -> None:
    game = given(seat(hand=["Comms 1", "Comms 2"], prep=[card, "Comms 3"], ship=1), seat())
    play(game, f"PLAY_PREP({card})")
    assert (game.decision == "SETTLE") == is_higher


def test_nobody_settles_from_an_empty_ship() -> None:
    own = seat(hand=["Energy 1", "Comms 1"], prep=["Comms 7", "Energy 3"], ship=0)
    assert play(given(own, seat()), "PLAY_PREP(Comms 7)").decision == "BOTTOM"


def test_habitation_holds_no_colonists_and_settles_nobody_for_a_value() -> None:
    own = seat(hand=["Energy 1", "Comms 1"], prep=["Habitation b", "Energy 3"], energy=0)
    game = given(own, seat(), piles={HABITATION: ["Habitation a"]}, face_down=["Habitation a"])
    assert play(game, "PLAY_PREP(Habitation b)").decision == "ABILITY"


def test_a_card_from_anothers_prep_is_for_the_owners_bottom_and_the_players_ability() -> None:
    active = seat(hand=["Energy 1", "Comms 1"], prep=["Comms 2", "Comms 3"], ship=1, energy=5)
    owner = seat(hand=["Aqualab 1", "Aqualab 2"], prep=["Energy 3", "Energy 4"], ship=2, energy=2)
    game = play(given(active, seat(), owner), "PLAY_OTHER(seat +2, slot 1)")
    assert table(game)["piles"][ENERGY_BANK] == ["Energy 4"]
    assert (game.to_play, game.decision) == (2, "BOTTOM")
    play(game, "ACCEPT")  # use 2: launch 2
    assert (at(game, 2)["energy"], at(game, 2)["ship"]) == (0, 4)
    assert (game.to_play, game.decision) == (0, "ABILITY")
    play(game, "ACCEPT")
    assert [at(game, number)["energy"] for number in (0, 2)] == [6, 0]
    assert at(game, 0)["star"] == at(game, 2)["star"] == [0] * 4
    assert at(game, 2)["prep"][0] == "Energy 3"


def test_launch_moves_one_colonist_from_earth_to_the_ship() -> None:
    assert "LAUNCH" not in choices(given(seat(ship=4, star=[1, 1, 1, 0]), seat()))
    game = play(given(seat(ship=1), seat()), "LAUNCH")
    assert (at(game, 0)["earth"], at(game, 0)["ship"]) == (5, 2)
    assert (game.to_play, game.decision) == (1, "TURN")


@pytest.mark.parametrize("energy", [3, 7])
@pytest.mark.parametrize("card", ["Comms 1", "Energy 2"])
def test_a_card_of_hand_or_prep_is_discarded_for_one_energy(card: str, energy: int) -> None:
    own = seat(hand=["Comms 1", "Comms 2"], prep=["Energy 1", "Energy 2"], energy=energy)
    game = play(given(own, seat()), f"DISCARD_FOR_ENERGY({card})")
    assert at(game, 0)["energy"] == min(energy + 1, 7)
    assert table(game)["discard"] == [card]
    assert card not in at(game, 0)["hand"] + at(game, 0)["prep"]


# --- the 4-card rule ------------------------------------------------------------------------------


def test_too_many_cards_are_discarded_from_hand_only_one_by_one() -> None:
    own = seat(hand=["Aqualab 7", "Aqualab 6"], prep=["Energy 1", "Energy 2"])
    game = given(own, seat(), deck=["Comms 1", "Comms 2", "Comms 3"])
    play(game, "PLAY_HAND(Aqualab 6)")
    assert decision_of(game) == (0, "DISCARD", ["CARD(Aqualab 7)", "CARD(Comms 1)", "CARD(Comms 2)"])
    play(game, "CARD(Comms 2)")
    assert at(game, 0)["hand"] == ["Aqualab 7", "Comms 1"]
    assert at(game, 0)["prep"] == ["Energy 1", "Energy 2"]


def test_missing_cards_are_drawn_and_the_lowest_empty_slot_is_filled_first() -> None:
    own = seat(hand=["Energy 1", "Energy 2"], prep=["Aqualab 3", "Energy 3"])
    game = given(own, seat(), deck=["Greenhouse 1", "Greenhouse 2", "Greenhouse 3"])
    play(game, "PLAY_PREP(Aqualab 3)", "ACCEPT", "CARD(Energy 3)")  # the whole prep module is gone
    assert at(game, 0)["hand"] == ["Greenhouse 1", "Greenhouse 2", "Energy 1", "Energy 2"]
    assert game.decision == "FILL"
    play(game, "CARD(Energy 2)")
    assert at(game, 0)["prep"] == ["Energy 2", None]
    play(game, "CARD(Greenhouse 1)")
    assert at(game, 0)["prep"] == ["Energy 2", "Greenhouse 1"]
    assert at(game, 0)["hand"] == ["Greenhouse 2", "Energy 1"]


def test_the_4_card_rule_goes_clockwise_from_the_active_player() -> None:
    seats: list[dict[str, Any]] = [
        seat(hand=["Greenhouse 6", "Greenhouse 7"], prep=["Habitation a", "Habitation b"], energy=0),
        seat(hand=["Aqualab 1", "Aqualab 4"], prep=["Aqualab 5", "Aqualab 6"]),
        seat(hand=["Energy 7", "Energy 6"], prep=["Energy 4", "Energy 5"], ship=0),
    ]
    game = given(*seats, active_seat=2, deck=["Comms 1", "Comms 2", "Comms 3"])
    play(game, "PLAY_HAND(Energy 7)", "PLAY_OTHER(seat +2, slot 0)")
    assert (game.to_play, game.decision) == (1, "BOTTOM")
    assert at(game, 1)["prep"] == [None, "Aqualab 6"]
    play(game, "PASS")
    play(game, "PASS")  # the Aqualab's ability
    # the active seat 2 has drawn the top card; seat 1 comes after seat 0
    assert at(game, 2)["hand"] == ["Energy 6", "Comms 1"]
    assert at(game, 1)["hand"] == ["Aqualab 1", "Aqualab 4", "Comms 2"]
    assert (game.to_play, game.decision) == (1, "FILL")


# --- the deck -------------------------------------------------------------------------------------

OWN = seat(hand=["Aqualab 6", "Energy 1"], prep=["Energy 2", "Energy 3"])
OTHER = seat(hand=["Energy 4", "Energy 5"], prep=["Energy 6", "Energy 7"])
ON_PILES = {GREENHOUSE: ["Greenhouse 1", "Greenhouse 2", "Greenhouse 3"], COMMS_CENTER: ["Comms 1"]}
HELD = [*OWN["hand"], *OWN["prep"], *OTHER["hand"], *OTHER["prep"]]


def nearly_empty_deck(*deck: str) -> Game:
    """Return a two-player game whose deck holds only these cards; most others are in the discard pile."""
    piled = [card for pile in ON_PILES.values() for card in pile]
    rest = all_but(*HELD, *piled, *deck)
    return given(OWN, OTHER, deck=list(deck), piles=ON_PILES, face_down=["Greenhouse 2"], discard=rest)


def test_the_deck_is_rebuilt_the_moment_it_is_empty_from_covered_and_discarded_cards() -> None:
    game = nearly_empty_deck("Aqualab 1")
    new_deck = ["Energy 2", "Greenhouse 2", "Greenhouse 1", *table(game)["discard"][::-1]]
    game.stack_shuffles([[CARD_NUMBER[card] for card in new_deck]])
    play(game, "DISCARD_FOR_ENERGY(Energy 2)")
    assert at(game, 0)["hand"] == ["Aqualab 1", "Aqualab 6", "Energy 1"]
    assert game.decision == "FILL"  # rebuilt before anything else happens
    assert table(game)["deck"] == new_deck
    assert table(game)["discard"] == []
    assert table(game)["face_down"] == []
    assert [table(game)["piles"][building] for building in (GREENHOUSE, COMMS_CENTER)] == [
        ["Greenhouse 3"],
        ["Comms 1"],
    ]


def test_a_draw_goes_on_from_the_rebuilt_deck_without_the_card_in_play() -> None:
    game = nearly_empty_deck("Aqualab 1")
    new_deck = ["Comms 7", "Greenhouse 2", "Greenhouse 1"]
    new_deck += [card for card in table(game)["discard"] if card != "Comms 7"]
    game.stack_shuffles([[CARD_NUMBER[card] for card in new_deck]])
    play(game, "PLAY_HAND(Aqualab 6)")
    assert at(game, 0)["hand"] == ["Aqualab 1", "Energy 1", "Comms 7"]
    assert table(game)["deck"] == new_deck[1:]
    assert table(game)["discard"] == ["Aqualab 6"]


def test_cards_drawn_for_keep_one_are_not_shuffled_into_the_rebuilt_deck() -> None:
    own = {**OWN, "hand": ["Comms 2", "Energy 1"]}
    rest = all_but(*own["hand"], *own["prep"], *OTHER["hand"], *OTHER["prep"], "Aqualab 1")
    game = given(own, OTHER, deck=["Aqualab 1"], discard=rest)
    new_deck = ["Comms 7", *[card for card in rest if card != "Comms 7"]]
    game.stack_shuffles([[CARD_NUMBER[card] for card in new_deck]])
    play(game, "PLAY_HAND(Comms 2)")
    assert choices(game) == ["CARD(Aqualab 1)", "CARD(Comms 7)"]
    assert table(game)["deck"] == new_deck[1:]
    play(game, "CARD(Comms 7)")
    assert table(game)["piles"][AQUALAB] == table(game)["face_down"] == ["Aqualab 1"]


def test_a_face_down_top_card_stays_face_down_when_the_deck_is_rebuilt() -> None:
    piles = {GREENHOUSE: ["Greenhouse 1", "Greenhouse 2"]}
    rest = all_but(*HELD, "Greenhouse 1", "Greenhouse 2", "Aqualab 1")
    game = given(OWN, OTHER, deck=["Aqualab 1"], piles=piles, face_down=["Greenhouse 2"], discard=rest)
    play(game, "DISCARD_FOR_ENERGY(Energy 1)")
    assert table(game)["piles"][GREENHOUSE] == table(game)["face_down"] == ["Greenhouse 2"]
    assert "Greenhouse 1" in table(game)["deck"]


def test_the_rebuilt_deck_is_shuffled() -> None:
    orders = set()
    for seed in range(5):
        game = nearly_empty_deck("Aqualab 1")
        game = Game.from_snapshot(game.snapshot(), seed=seed)
        play(game, "DISCARD_FOR_ENERGY(Energy 1)")
        orders.add(tuple(table(game)["deck"]))
    assert len(orders) == 5
    assert len({frozenset(order) for order in orders}) == 1


def test_a_deck_that_still_holds_a_card_is_not_rebuilt() -> None:
    game = play(nearly_empty_deck("Aqualab 1", "Comms 7"), "DISCARD_FOR_ENERGY(Energy 1)")
    assert table(game)["deck"] == ["Comms 7"]
    assert table(game)["piles"][GREENHOUSE] == ON_PILES[GREENHOUSE]


# --- the end --------------------------------------------------------------------------------------

LAST_ONE = seat(hand=["Comms 4", "Comms 2"], prep=["Comms 6", "Energy 1"], ship=1, star=[3, 3, 0, 0])


def test_the_game_ends_at_the_end_of_the_round_in_which_somebody_has_settled_all_seven() -> None:
    game = given(seat(), LAST_ONE, seat(), starting_seat=1, active_seat=1)
    play(game, "PLAY_HAND(Comms 4)")
    assert at(game, 1)["star"] == [3, 3, 0, 1]
    for number in (2, 0):
        assert (game.over, game.to_play) == (False, number)
        play(game, "LAUNCH")
    assert (game.over, game.truncated) == (True, False)
    assert (game.to_play, game.decision, game.legal) == (None, None, [])
    assert table(game)["round"] == 1


def test_six_colonists_in_buildings_do_not_end_the_game() -> None:
    game = play(given(seat(), LAST_ONE, active_seat=1), "PLAY_HAND(Comms 2)")
    play(game, choices(game)[0])
    assert (game.over, table(game)["round"]) == (False, 2)


def test_colonists_on_both_spaces_count_as_settled() -> None:
    own = seat(hand=["Habitation c", "Comms 2"], prep=["Comms 6", "Energy 1"], ship=0)
    game = given(seat(), {**own, "star": [2, 2, 0, 0], "star2": [1, 1, 1, 0]}, active_seat=1)
    play(game, "PLAY_HAND(Habitation c)")
    assert game.over
