"""The top actions that draw cards; each text is tested on every card that has it."""

import pytest

from pocketmars_env import Game
from tests.builders import ENERGY_BANK, HABITATION, all_but, cards, choices, decision_of, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_top, begin_top, with_top

DRAW_AND_KEEP = ["Comms 2", "Energy 2", "Aqualab 2", "Greenhouse 2"]
DRAW_2 = ["Aqualab 6", "Aqualab 7"]

# --- the 2s: draw 2, keep one, put the other face down on the pile of its own suit -------------------


@pytest.mark.parametrize(("kept", "put"), [("Comms 6", "Aqualab 6"), ("Aqualab 6", "Comms 6")])
@pytest.mark.parametrize("card", DRAW_AND_KEEP)
def test_draw_2_keep_one(card: str, kept: str, put: str) -> None:
    game = given(with_top(card), seat(), deck=["Aqualab 6", "Comms 6", "Energy 6"])
    before = begin_top(game, card)
    assert decision_of(game) == (0, "KEEP", ["CARD(Aqualab 6)", "CARD(Comms 6)"])
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
    before = begin_top(game, "Comms 2")
    assert choices(game) == ["CARD(Comms 4)", "CARD(Comms 5)"]
    play(game, "CARD(Comms 4)")
    assert changes(before, game) == {
        "Comms 2": "hand of 0 → discard",
        "Comms 4": "deck → hand of 0",
        "Comms 5": "deck → pile, face down",
    }


def almost_out_of_cards(*deck: str, module: str | None) -> Game:
    """Return a solo game with at most one card left to draw."""
    mine = seat(hand=["Energy 2", "Aqualab 6"], prep=["Comms 4", "Comms 5"])
    rest = all_but("Energy 2", "Aqualab 6", "Comms 4", "Comms 5", *deck, *([module] if module else []))
    return given(mine, seat(ship=5, prep=[module, None]), mode="solo", deck=list(deck), discard=rest)


@pytest.mark.parametrize(("deck", "module"), [(["Aqualab 1"], None), ([], "Aqualab 1")])
def test_a_single_card_drawn_is_kept(deck: list[str], module: str | None) -> None:
    game = almost_out_of_cards(*deck, module=module)
    before = begin_top(game, "Energy 2")
    assert game.over
    found = changes(before, game)
    assert found.pop("Energy 2") == "hand of 0 → discard"
    assert found == {"Aqualab 1": f"{'slot 0 of 1' if module else 'deck'} → hand of 0"}


def test_nothing_is_drawn_when_there_is_no_card() -> None:
    game = almost_out_of_cards(module=None)
    before = begin_top(game, "Energy 2")
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
    before = begin_top(game, card)
    assert decision_of(game) == (0, "DISCARD", ["CARD(Energy 1)", "CARD(Energy 3)", "CARD(Comms 1)"])
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
        seat(hand=[card], prep=["Comms 2", "Comms 3"]), seat(), deck=["Energy 3", "Energy 1", "Energy 2"]
    )
    assert after_top(game, card) == {"Energy 1": "deck → hand of 0"}


@pytest.mark.parametrize("card", DRAW_2)
def test_draw_2_of_a_single_card(card: str) -> None:
    mine = seat(hand=[card], prep=["Comms 2", "Comms 3"])
    rest = all_but(card, "Comms 2", "Comms 3", "Greenhouse 7")
    game = given(mine, seat(ship=5, prep=["Greenhouse 7", None]), mode="solo", deck=[], discard=rest)
    before = begin_top(game, card)
    assert changes(before, game) == {card: "hand of 0 → discard", "Greenhouse 7": "slot 0 of 1 → hand of 0"}
