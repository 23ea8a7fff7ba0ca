"""The top actions that draw cards, one test per text, for every card that bears it."""

import pytest

from pocketmars_env import Game
from tests.builders import ENERGY_BANK, HABITATION, cards, choices, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_top, with_top

DRAW_AND_KEEP = ["Comms 2", "Energy 2", "Aqualab 2", "Greenhouse 2"]
DRAW_2 = ["Aqualab 6", "Aqualab 7"]
SUITS = ["Greenhouse", "Aqualab", "Energy", "Comms"]


def everything_but(*kept: str) -> list[str]:
    """All cards but those in `kept`: the discard pile when there is hardly anything left to draw."""
    names = [f"{suit} {value}" for suit in SUITS for value in range(1, 8)]
    names += [f"Habitation {letter}" for letter in "abcdefg"]
    return [name for name in names if name not in kept]


# --- the 2s: draw 2, keep one, put the other face down on the pile of its own suit -------------------


@pytest.mark.parametrize(("kept", "put"), [("Comms 6", "Aqualab 6"), ("Aqualab 6", "Comms 6")])
@pytest.mark.parametrize("card", DRAW_AND_KEEP)
def test_draw_2_keep_one(card: str, kept: str, put: str) -> None:
    game = given(with_top(card), seat(), deck=["Aqualab 6", "Comms 6", "Energy 6"])
    before = game.snapshot()
    play(game, f"PLAY_HAND({card})")
    assert (game.to_play, game.decision) == (0, "KEEP")
    assert choices(game) == ["CARD(Aqualab 6)", "CARD(Comms 6)"]
    play(game, f"CARD({kept})")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        kept: "deck → hand of 0",
        put: "deck → pile, face down",
    }


def test_the_other_card_covers_the_pile_of_its_suit() -> None:
    game = given(
        with_top("Energy 2"),
        seat(),
        deck=["Habitation a", "Comms 6"],
        piles={HABITATION: ["Habitation b"], ENERGY_BANK: ["Energy 1"]},
    )
    play(game, "PLAY_HAND(Energy 2)", "CARD(Comms 6)")
    pile = game.snapshot()["piles"][HABITATION]
    assert [(*cards([card]), is_face_up) for card, is_face_up in pile] == [
        ("Habitation b", True),
        ("Habitation a", False),
    ]


def test_both_cards_drawn_may_have_the_suit_of_the_played_one() -> None:
    game = given(with_top("Comms 2"), seat(), deck=["Comms 5", "Comms 4", "Energy 6"])
    before = game.snapshot()
    play(game, "PLAY_HAND(Comms 2)")
    assert choices(game) == ["CARD(Comms 4)", "CARD(Comms 5)"]
    play(game, "CARD(Comms 4)")
    assert changes(before, game) == {
        "Comms 2": "hand of 0 → discard",
        "Comms 4": "deck → hand of 0",
        "Comms 5": "deck → pile, face down",
    }


def test_a_hand_card_cannot_be_put_down_in_place_of_a_drawn_one() -> None:
    game = given(
        seat(hand=["Comms 2", "Comms 7"], prep=["Comms 5", "Comms 6"]),
        seat(),
        deck=["Energy 1", "Energy 3"],
    )
    play(game, "PLAY_HAND(Comms 2)")
    assert choices(game) == ["CARD(Energy 1)", "CARD(Energy 3)"]


def almost_out_of_cards(*deck: str, module: str | None) -> Game:
    """A solo game with hardly a card left to draw."""
    mine = seat(hand=["Energy 2", "Aqualab 6"], prep=["Comms 4", "Comms 5"])
    rest = everything_but("Energy 2", "Aqualab 6", "Comms 4", "Comms 5", *deck, *([module] if module else []))
    return given(mine, seat(ship=5, prep=[module, None]), mode="solo", deck=list(deck), discard=rest)


@pytest.mark.parametrize(("deck", "module"), [(["Aqualab 1"], None), ([], "Aqualab 1")])
def test_a_single_card_drawn_is_kept(deck: list[str], module: str | None) -> None:
    game = almost_out_of_cards(*deck, module=module)
    before = game.snapshot()
    play(game, "PLAY_HAND(Energy 2)")
    assert game.over
    found = changes(before, game)
    assert found.pop("Energy 2") == "hand of 0 → discard"
    assert found == {"Aqualab 1": f"{'slot 0 of 1' if module else 'deck'} → hand of 0"}


def test_nothing_is_drawn_when_there_is_no_card() -> None:
    game = almost_out_of_cards(module=None)
    before = game.snapshot()
    play(game, "PLAY_HAND(Energy 2)")
    assert game.over
    assert changes(before, game) == {"Energy 2": "hand of 0 → discard"}


# --- Aqualab 6 and 7: draw 2 -----------------------------------------------------------------------


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2(card: str) -> None:
    game = given(
        seat(hand=[card, "Comms 1"], prep=["Comms 2", "Comms 3"]),
        seat(),
        deck=["Energy 3", "Energy 1", "Energy 2"],
    )
    before = game.snapshot()
    play(game, f"PLAY_HAND({card})")
    assert (game.to_play, game.decision) == (0, "DISCARD")
    assert choices(game) == ["CARD(Energy 1)", "CARD(Energy 3)", "CARD(Comms 1)"]
    play(game, "CARD(Energy 3)")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        "Energy 1": "deck → hand of 0",
        "Energy 3": "deck → discard",
    }


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2_with_no_other_card_in_hand(card: str) -> None:
    game = given(
        seat(hand=[card], prep=["Comms 2", "Comms 3"]),
        seat(),
        deck=["Energy 3", "Energy 1", "Energy 2"],
    )
    assert after_top(game, card) == {"Energy 1": "deck → hand of 0"}


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2_goes_on_with_the_rebuilt_deck(card: str) -> None:
    mine = seat(hand=[card], prep=["Comms 2", "Comms 3"])
    other = seat(hand=["Energy 1", "Energy 2"], prep=["Energy 3", "Energy 4"])
    held = [card, "Comms 2", "Comms 3", "Energy 1", "Energy 2", "Energy 3", "Energy 4", "Greenhouse 7"]
    discard = everything_but(*held)
    game = given(mine, other, deck=["Greenhouse 7"], discard=discard)
    play(game, f"PLAY_HAND({card})")
    after = game.snapshot()
    assert cards(after["discard"]) == [card]
    hand = cards(after["seats"][0]["hand"])
    assert len(hand) == 2
    assert "Greenhouse 7" in hand
    assert sorted(cards(after["deck"]) + hand) == sorted([*discard, "Greenhouse 7"])


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2_of_a_single_card(card: str) -> None:
    mine = seat(hand=[card], prep=["Comms 2", "Comms 3"])
    rest = everything_but(card, "Comms 2", "Comms 3", "Greenhouse 7")
    game = given(mine, seat(ship=5, prep=["Greenhouse 7", None]), mode="solo", deck=[], discard=rest)
    before = game.snapshot()
    play(game, f"PLAY_HAND({card})")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        "Greenhouse 7": "slot 0 of 1 → hand of 0",
    }


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2_empties_the_das_module_first(card: str) -> None:
    game = given(
        seat(hand=[card], prep=["Comms 2", "Comms 3"]),
        seat(ship=5, prep=["Greenhouse 6", "Greenhouse 7"]),
        mode="solo",
        deck=["Energy 1", "Energy 2", "Energy 3", "Energy 4"],
    )
    before = game.snapshot()
    play(game, f"PLAY_HAND({card})")
    assert (game.to_play, game.decision) == (0, "TURN")
    assert changes(before, game) == {
        card: "hand of 0 → discard",
        "Greenhouse 6": "slot 0 of 1 → hand of 0",
        "Greenhouse 7": "slot 1 of 1 → hand of 0",
        "Energy 1": "deck → discard",
        "Energy 2": "deck → discard",
        "Energy 3": "deck → slot 0 of 1",
        "Energy 4": "deck → slot 1 of 1",
    }
