"""The cards that each seat knows after setup, with and without the draft."""

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.cards import CARD_NUMBER
from tests.builders import all_but, at, knows, play, table


def test_others_learn_nothing_from_the_filling_of_prep_modules() -> None:
    game = Game(players=3, seed=5)
    while game.decision == "PREP":
        game.step(game.legal[0])
    for number in range(3):
        own = at(game, number)
        assert set(own["knows"]) == {*own["hand"], *own["prep"]}


PACKETS = [
    ["Greenhouse 1", "Aqualab 1", "Energy 1", "Comms 1", "Comms 2"],
    ["Greenhouse 2", "Aqualab 2", "Energy 2", "Habitation a", "Comms 3"],
]


def draft(packets: list[list[str]], *picks: str) -> Game:
    """Return a draft with these packets (that of seat 0 first) after these picks."""
    rest = all_but(*[card for packet in packets for card in packet])
    numbers = [[CARD_NUMBER[card] for card in packet] for packet in packets]
    deck = [CARD_NUMBER[card] for card in rest]
    game = Game.from_deal({"hands": numbers, "deck": deck, "starting_seat": 0}, draft=True)
    return play(game, *[f"CARD({card})" for card in picks])


def test_a_packet_is_known_to_all_who_held_it() -> None:
    game = draft(PACKETS, "Greenhouse 1")
    assert set(at(game, 0)["knows"]) == set(PACKETS[0])
    assert set(at(game, 1)["knows"]) == set(PACKETS[1])
    play(game, "CARD(Greenhouse 2)")  # the packets are passed
    assert set(at(game, 0)["knows"]) == {*PACKETS[0], *PACKETS[1]} - {"Greenhouse 2"}
    assert set(at(game, 1)["knows"]) == {*PACKETS[0], *PACKETS[1]} - {"Greenhouse 1"}


def test_a_pick_of_the_only_card_of_its_suit_is_followed() -> None:
    game = draft(PACKETS, "Greenhouse 1", "Greenhouse 2", "Aqualab 2", "Aqualab 1")
    assert at(game, 1)["hand"] == ["Greenhouse 2", "Aqualab 1"]
    assert knows(game, 0, "Aqualab 1", "Comms 1", "Comms 2") == [True, True, True]
    assert knows(game, 0, "Greenhouse 2") == [False]  # picked before seat 0 saw the packet


@pytest.mark.parametrize("pick", ["Comms 1", "Comms 2"])
def test_a_pick_among_cards_of_one_suit_loses_all_of_them_until_they_come_back(pick: str) -> None:
    game = draft(PACKETS, "Greenhouse 1", "Greenhouse 2", "Aqualab 2")
    assert knows(game, 0, "Comms 1", "Comms 2", "Energy 1") == [True, True, True]
    other = "Comms 2" if pick == "Comms 1" else "Comms 1"
    entry = at(game, 1)
    assert entry["packet"] == ["Aqualab 1", "Energy 1", "Comms 1", "Comms 2"]
    play(game, f"CARD({pick})")
    # the packet is back at seat 0, which sees the other card and knows it again
    assert other in at(game, 0)["packet"]
    assert knows(game, 0, pick, other, "Energy 1") == [False, True, True]


def test_a_pick_among_cards_of_one_suit_loses_all_of_them() -> None:
    third = ["Greenhouse 3", "Aqualab 3", "Energy 3", "Habitation b", "Habitation c"]
    game = draft([*PACKETS, third], "Greenhouse 1", "Greenhouse 2", "Greenhouse 3", "Aqualab 3", "Comms 1")
    assert game.to_play == 2
    assert knows(game, 0, "Comms 1", "Comms 2") == [True, True]  # nobody has seen the pick yet
    play(game, "CARD(Aqualab 2)")
    assert knows(game, 0, "Comms 1", "Comms 2", "Aqualab 1", "Energy 1") == [False, False, True, True]


def test_the_kept_cards_do_not_make_a_pick_ambiguous() -> None:
    packets = [[*PACKETS[0][:3], "Habitation b", "Comms 1"], PACKETS[1]]
    game = draft(packets, "Greenhouse 1", "Comms 3", "Aqualab 2", "Comms 1")
    assert at(game, 1)["hand"] == ["Comms 1", "Comms 3"]
    assert knows(game, 0, "Comms 1", "Comms 3") == [True, False]  # the packet held no other Comms card


def test_what_was_seen_while_drafting_is_followed_into_the_prep_module_if_its_suit_is_alone() -> None:
    picks = ["Greenhouse 1", "Habitation a", "Greenhouse 2", "Aqualab 1"]
    picks += ["Energy 1", "Energy 2", "Aqualab 2", "Comms 1"]
    game = draft(PACKETS, *picks)
    assert at(game, 1)["hand"] == ["Aqualab 1", "Energy 2", "Comms 1", "Habitation a"]
    assert knows(game, 0, "Aqualab 1", "Energy 2", "Habitation a") == [True, True, False]
    play(game, "CARD(Greenhouse 1)", "CARD(Greenhouse 2)", "CARD(Aqualab 1)", "CARD(Energy 2)")
    assert at(game, 1)["prep"] == ["Aqualab 1", "Energy 2"]
    assert knows(game, 0, "Aqualab 1", "Energy 2", "Habitation a") == [True, True, False]
    # seat 0 put down two Greenhouse cards, and seat 1 knew only one of them
    assert knows(game, 1, "Greenhouse 1", "Greenhouse 2") == [False, False]


def test_nobody_knows_the_cards_shuffled_back_after_the_draft() -> None:
    game = draft(PACKETS, *["Greenhouse 1", "Greenhouse 2", "Aqualab 2", "Aqualab 1", "Energy 1", "Energy 2"])
    play(game, "CARD(Comms 3)", "CARD(Comms 1)")
    assert game.decision == "PREP"
    assert {"Comms 2", "Habitation a"} <= set(table(game)["deck"])
    data = table(game)
    for entry in data["seats"]:
        assert not set(entry["knows"]) & set(data["deck"])
