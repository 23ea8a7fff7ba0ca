"""The top action of Energy 7: gain 2 and do 1 more action (rulings R-MORE and R-PLAYED)."""

import pytest

from tests.builders import choices, decision_of, given, play, seat
from tests.changes import changes
from tests.games.pocket_mars.halves import after_top, begin_top, with_top


def test_energy_7_gains_2_and_asks_for_any_of_the_five_actions() -> None:
    game = given(seat(hand=["Energy 7", "Comms 1"], prep=["Comms 2", "Comms 3"], energy=0), seat())
    before = begin_top(game, "Energy 7")
    assert changes(before, game) == {"Energy 7": "hand of 0 → in play", "energy of 0": 2}
    assert (game.to_play, game.decision) == (0, "TURN")
    assert choices(game) == [
        "PLAY_HAND(Comms 1)",
        "PLAY_PREP(Comms 2)",
        "PLAY_PREP(Comms 3)",
        "PLAY_OTHER(seat +1, slot 0)",
        "PLAY_OTHER(seat +1, slot 1)",
        "LAUNCH",
        "DISCARD_FOR_ENERGY(Comms 1)",
        "DISCARD_FOR_ENERGY(Comms 2)",
        "DISCARD_FOR_ENERGY(Comms 3)",
    ]


@pytest.mark.parametrize(("energy", "gained"), [(6, 1), (7, 0)])
def test_energy_7_gives_its_action_whatever_it_gains(energy: int, gained: int) -> None:
    game = given(with_top("Energy 7", energy=energy), seat())
    before = begin_top(game, "Energy 7")
    assert (game.to_play, game.decision) == (0, "TURN")
    assert game.snapshot()["seats"][0]["energy"] - before["seats"][0]["energy"] == gained


def test_energy_7_with_a_launch() -> None:
    game = given(with_top("Energy 7"), seat())
    assert after_top(game, "Energy 7", "LAUNCH") == {"earth of 0": -1, "ship of 0": 1, "energy of 0": 2}


def test_energy_7_with_a_card_from_prep_has_the_four_card_rule_once() -> None:
    game = given(
        seat(hand=["Energy 7", "Comms 1"], prep=["Comms 2", "Energy 2"], ship=0, energy=0),
        seat(),
        deck=["Aqualab 1", "Aqualab 2"],
    )
    before = game.snapshot()
    play(game, "PLAY_HAND(Energy 7)", "PLAY_PREP(Energy 2)", "ACCEPT", "ACCEPT")
    assert decision_of(game) == (0, "FILL", ["CARD(Aqualab 1)", "CARD(Aqualab 2)", "CARD(Comms 1)"])
    play(game, "CARD(Comms 1)")
    assert (game.to_play, game.decision) == (1, "TURN")
    assert changes(before, game) == {
        "Energy 7": "hand of 0 → discard",
        "Energy 2": "slot 1 of 0 → pile",
        "Comms 1": "hand of 0 → slot 1 of 0",
        "Aqualab 1": "deck → hand of 0",
        "Aqualab 2": "deck → hand of 0",
        "energy of 0": 5,
    }
