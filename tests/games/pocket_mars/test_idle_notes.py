"""The note of a choice names the parts of the action that would have no effect."""

import itertools

import pytest

from pocketmars_env import Game
from tests.builders import ACTION_NUMBER, given, seat
from tests.fixed_play import play_fixed

BOTH = "bottom and ability have no effect now"
ABILITY = "ability has no effect now"
WITHOUT = "ability has no effect now without the bottom"
NOTES = ("no effect now", "bottom has no effect now", ABILITY, WITHOUT, BOTH)


def note(game: Game, action: str) -> str:
    """Return the note about parts of an action without effect, or an empty string if there is none."""
    found = [one.note for one in game.view().choices() if one.action == ACTION_NUMBER[action]]
    assert len(found) == 1
    first = found[0].split(" · ")[0]
    return first if first in NOTES else ""


@pytest.mark.parametrize(
    ("own", "action", "expected"),
    [
        (seat(hand=["Greenhouse 3", "Aqualab 1"], ship=2), "PLAY_HAND(Greenhouse 3)", "no effect now"),
        (seat(hand=["Greenhouse 3", "Aqualab 1"], ship=0), "PLAY_HAND(Greenhouse 3)", ""),
        (seat(prep=["Energy 4", "Aqualab 1"], energy=1), "PLAY_PREP(Energy 4)", "bottom has no effect now"),
        (seat(prep=["Energy 4", "Aqualab 1"], energy=2), "PLAY_PREP(Energy 4)", ""),
        (
            seat(prep=["Greenhouse 2", "Aqualab 1"]),
            "PLAY_PREP(Greenhouse 2)",
            WITHOUT,
        ),
        (seat(prep=["Habitation b", "Aqualab 1"], ship=0, energy=0), "PLAY_PREP(Habitation b)", BOTH),
        (
            seat(prep=["Habitation b", "Aqualab 1"], ship=0, energy=1),
            "PLAY_PREP(Habitation b)",
            WITHOUT,
        ),
    ],
)
def test_parts_without_effect_are_named(own: dict[str, object], action: str, expected: str) -> None:
    assert note(given(own, seat()), action) == expected


def test_an_ability_that_settling_makes_useful_is_not_called_useless() -> None:
    own = seat(prep=["Greenhouse 7", "Aqualab 1"], hand=["Comms 1", "Comms 2"], ship=1)
    assert note(given(own, seat()), "PLAY_PREP(Greenhouse 7)") == "bottom has no effect now"


def test_nothing_is_said_about_cards_that_are_not_known() -> None:
    hidden, known = (
        given(seat(ship=0, knows=knows), seat(prep=["Greenhouse 2", "Aqualab 1"]))
        for knows in ([], ["Greenhouse 2"])
    )
    action = "PLAY_OTHER(seat +1, slot 0)"
    assert (note(hidden, action), note(known, action)) == ("", ABILITY)


@pytest.mark.parametrize("settings", [{"mode": "solo"}, {"players": 3}], ids=["solo", "three"])
def test_parts_called_useless_are_never_offered(settings: dict[str, object]) -> None:
    checked = 0
    games = (play_fixed(Game(seed=seed, **settings), seed, 200) for seed in range(12))
    for game in itertools.chain.from_iterable(games):
        if game.decision != "TURN":
            continue
        for choice in game.view().choices():
            if choice.note.startswith(("ability has", "bottom and")):
                checked += 1
                after = game.clone()
                after.step(choice.action)
                while after.decision in ("SETTLE", "BOTTOM"):
                    after.step(ACTION_NUMBER["PASS"])
                assert after.decision != "ABILITY"
    assert checked > 0
