"""Restoring games from snapshots: invalid, incomplete and ambiguous snapshots."""

import copy
from itertools import product
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.testing import check_snapshot_round_trip
from tests.builders import choices, given, play, seat
from tests.fixed_play import play_fixed
from tests.fuzz.mutations import ABSENT, Path, put
from tests.modes import MODES


def good() -> Snapshot:
    """Return a valid snapshot of a two-player game in which it is seat 0's turn."""
    return given(
        seat(hand=["Comms 1", "Comms 2"], prep=["Energy 1", "Energy 2"]),
        seat(hand=["Comms 3", "Comms 4"], prep=["Energy 3", "Energy 4"]),
        piles={0: ["Greenhouse 1"]},
    ).snapshot()


BAD_VALUES: list[tuple[Path, Any]] = [
    (("deck",), ABSENT),
    (("extra",), 1),
    (("round",), 0),
    (("over",), True),
    (("starting_seat",), 3),
    (("active_seat",), 1),
    (("decision",), None),
    (("decision",), "RECALL"),
    (("asked_seat",), 2),
    (("seats", 1, "packet"), []),
    (("seats", 1, "ship"), 5),
    (("seats", 1, "hand"), [21, 24]),
    (("seats", 1, "knows"), [1, 1]),
    (("seats", 1, "score"), 40),
    (("piles",), [[], [[0, True]], [], [], []]),
    (("handicap",), 1),
]
"""Values that the snapshot from `good` cannot have, with their paths."""


@pytest.mark.parametrize(("path", "value"), BAD_VALUES)
def test_bad_snapshots_are_refused(path: Path, value: Any) -> None:
    data = good()
    put(data, path, value)
    with pytest.raises(ValueError, match=r"."):
        Game.from_snapshot(data)


def test_an_error_names_the_place_and_the_value() -> None:
    data = good()
    put(data, ("seats", 1, "energy"), 8)
    with pytest.raises(ValueError, match=r"seats\[1\]\.energy.*8"):
        Game.from_snapshot(data)


@pytest.mark.parametrize(
    ("settings", "name", "value"),
    [
        ({"mode": "solo"}, "level", None),
        ({"mode": "solo"}, "players", 2),
        ({"players": 2}, "level", "cyborg"),
    ],
)
def test_a_snapshot_holds_the_settings_of_the_game(settings: dict[str, Any], name: str, value: Any) -> None:
    """`GameConfig` replaces these values, but a snapshot does not have them."""
    game = Game(**settings, seed=0)
    with pytest.raises(ValueError, match=name):
        Game.from_snapshot({**game.snapshot(), name: value}, game.resume_state())


def test_a_resume_state_of_another_position_is_refused() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    before = game.snapshot()
    play(game, "PLAY_HAND(Comms 2)")
    with pytest.raises(ValueError, match="resume state"):
        Game.from_snapshot(before, game.resume_state())


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("program", 99), ("line", 50), ("stage", 77), ("stage", "TURN"), ("actor", 6), ("played", 90)),
        *(("owner", 5), ("owner", None), ("left", 1000), ("drawn", 1 << 40), ("round_limit", -1)),
        *(("seed", -1), ("seed", 2**64), ("page", 1), ("seed", ABSENT)),
    ],
)
def test_resume_states_that_mean_nothing_are_refused(field: str, value: Any) -> None:
    game = Game(seed=0)
    resume_state = game.resume_state()
    put(resume_state, (field,), value)
    with pytest.raises(ValueError, match="resume state"):
        Game.from_snapshot(game.snapshot(), resume_state)


def test_a_refused_snapshot_is_not_changed() -> None:
    data = good()
    data["decision"] = "RECALL"
    before = copy.deepcopy(data)
    with pytest.raises(ValueError, match="snapshot"):
        Game.from_snapshot(data)
    assert data == before


# --- hand-made snapshots --------------------------------------------------------------------------


def test_scores_may_be_left_out() -> None:
    data = good()
    for entry in data["seats"]:
        del entry["score"]
    assert Game.from_snapshot(data).snapshot() == good()


def test_settings_that_a_snapshot_does_not_show() -> None:
    solo = given(seat(), seat(ship=5), mode="solo").snapshot()
    game = Game.from_snapshot(solo, da_agent=True, round_limit=9, seed=4)
    assert (game.config.da_agent, game.config.round_limit) == (True, 9)
    assert game.resume_state()["seed"] == 4


def test_the_seed_decides_the_future_of_a_restored_game() -> None:
    data = good()
    data["discard"], data["deck"] = data["deck"][:-1], data["deck"][-1:]
    for entry in data["seats"]:
        entry["knows"] = sorted({*entry["knows"], *data["discard"]})
    decks = []
    for number in (1, 1, 2):
        game = Game.from_snapshot(data, seed=number)
        play(game, "DISCARD_FOR_ENERGY(Comms 1)")  # draws the last card, so the deck is rebuilt
        decks.append(game.snapshot()["deck"])
    assert decks[0] == decks[1] != decks[2]


def test_a_finished_game_comes_back_finished() -> None:
    game = Game(players=2, seed=3, round_limit=1)
    while not game.over:
        game.step(game.legal[0])
    again = Game.from_snapshot(game.snapshot(), round_limit=1)
    assert (again.over, again.truncated, again.legal) == (True, True, [])
    data = game.snapshot()
    first = data["seats"][0]
    first.update(earth=0, ship=0, star=[7, 0, 0, 0], star2=[0, 0, 0, 0])
    for entry in data["seats"]:
        del entry["score"]
    assert not Game.from_snapshot(data).truncated


def test_the_question_in_the_middle_of_a_card_is_worked_out() -> None:
    game = given(seat(hand=["Energy 6", "Comms 1"], energy=3, ship=2), seat())
    play(game, "PLAY_HAND(Energy 6)")
    again = Game.from_snapshot(game.snapshot(), game.resume_state())
    assert choices(again) == ["PASS", "ACCEPT"]
    assert play(again, "ACCEPT", "PASS").snapshot() == play(game, "ACCEPT", "PASS").snapshot()


def test_a_turn_fits_one_position() -> None:
    game = Game.from_snapshot(good())  # an ambiguity warning would fail the test
    assert game.snapshot() == good()


def test_a_swap_of_the_only_hand_card_fits_one_position() -> None:
    checked = 0
    for seed in range(40):
        for game in play_fixed(Game(players=2, seed=seed), seed):
            if game.decision == "SWAP_PREP" and len(game.snapshot()["seats"][game.to_play or 0]["hand"]) == 1:
                again = Game.from_snapshot(game.snapshot())  # an ambiguity warning would fail the test
                assert again.snapshot() == game.snapshot()
                checked += 1
    assert checked > 0


def test_two_drawn_cards_among_others_are_ambiguous() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    play(game, "PLAY_HAND(Comms 2)")
    data = game.snapshot()
    with pytest.warns(UserWarning, match=r"3 positions .*KEEP"):
        again = Game.from_snapshot(data)
    assert again.snapshot() == data
    assert choices(Game.from_snapshot(data, game.resume_state())) == ["CARD(Aqualab 1)", "CARD(Habitation g)"]


def test_a_question_of_every_kind_is_restored() -> None:
    met: set[str | None] = set()
    for settings, number in product(MODES.values(), range(12)):
        for game in play_fixed(Game(**settings, seed=number), seed=number):
            if game.decision not in met:
                met.add(game.decision)
                check_snapshot_round_trip(game)
    # SWAP_HAND is never asked: one of the two hand cards is played, so only one is left to swap
    assert met == {decision.name for decision in Decision} - {"SWAP_HAND"} | {None}
