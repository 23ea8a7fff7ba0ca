"""Restoring games from snapshots: invalid, incomplete and ambiguous snapshots."""

import copy
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from pocketmars_env import Game
from pocketmars_env.games.pocket_mars.rules.constants import Decision
from pocketmars_env.games.pocket_mars.snapshots.notation import Snapshot
from pocketmars_env.games.pocket_mars.snapshots.snapshot_checks import RESUME_RANGES
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


BAD_VALUES: list[tuple[Path, Any, str]] = [
    (("deck",), ABSENT, r"bad snapshot: its keys must be \['active_seat'"),
    (("extra",), 1, r"bad snapshot: its keys must be"),
    (("edition",), "third", r"edition must be one of 'grey_fox', 'board_and_dice', got 'third'"),
    (("players",), 7, r"players must be 2, 3 or 4"),
    (("mode",), "duel", r"mode must be one of 'multi', 'solo', got 'duel'"),
    (("level",), "hard", r"level must be one of"),
    (("round",), 0, r"bad snapshot: round must be 1, 2, \.\.\., got 0"),
    (("round",), 1.0, r"bad snapshot: round must be 1, 2, \.\.\., got 1\.0"),
    (("round",), True, r"bad snapshot: round must be 1, 2, \.\.\., got True"),
    (("over",), 0, r"bad snapshot: over must be True or False, got 0"),
    (("starting_seat",), 3, r"bad snapshot: starting_seat is not a player's seat: 3"),
    (("active_seat",), -1, r"bad snapshot: active_seat is not a player's seat: -1"),
    (("decision",), "WAIT", r"bad snapshot: decision must be one of \['DRAFT', .*, got 'WAIT'"),
    (("decision",), None, r"bad snapshot: decision must be one of \['DRAFT', .*, got None"),
    (("asked_seat",), 2, r"bad snapshot: asked_seat must be one of \[0, 1\], got 2"),
    (("over",), True, r"bad snapshot: decision must be one of \[None\], got 'TURN'"),
    (("seats",), 2, r"bad snapshot: seats must hold 2 entries"),
    (("seats", 0), None, r"bad snapshot: seat 0 must be a dict"),
    (("seats", 0, "prep"), ABSENT, r"bad snapshot: the keys of seat 0 must be"),
    (("seats", 1, "packet"), [], r"bad snapshot: the keys of seat 1 must be"),
    (("seats", 1, "star"), None, r"bad snapshot: star of seat 1 must be 4 counts, got None"),
    (("seats", 1, "star2"), [0, 0, 0, -1], r"bad snapshot: star2 of seat 1 must be 4 counts"),
    (("seats", 1, "energy"), 8, r"bad snapshot: energy of seat 1 must be 0\.\.7, got 8"),
    (("seats", 1, "ship"), "all", r"bad snapshot: ship of seat 1 must be 0\.\.7, got 'all'"),
    (("seats", 1, "ship"), 5, r"bad snapshot: seat 1 has 11 colonists, not 7"),
    (("seats", 1, "prep"), None, r"bad snapshot: prep of seat 1 must have 2 slots"),
    (("seats", 1, "hand"), [23, 77], r"hand of seat 1 must hold cards 0\.\.34, got 77"),
    (("seats", 1, "hand"), [21, 24], r"35 cards must be in one place; missing \[23\], twice \[21\]"),
    (("seats", 1, "knows"), [1, 1], r"knows of seat 1 holds a card twice"),
    (("seats", 1, "score"), 40, r"bad snapshot: the score of seat 1 is 2, got 40"),
    (("piles",), None, r"bad snapshot: piles must hold 5 piles"),
    (("piles",), [[], [[0, True]], [], [], []], r"piles\[1\] holds a card of another suit: \[0\]"),
    (("deck",), "deck", r"deck must be a list of cards, got 'deck'"),
]
"""Values that no snapshot has: path, value and error message."""
BAD_SNAPSHOTS = [
    *BAD_VALUES,
    (("active_seat",), 1, r"no position of the game has this snapshot \(decision 'TURN', seat 0\)"),
    (("decision",), "RECALL", r"no position of the game has this snapshot \(decision 'RECALL'"),
]


@pytest.mark.parametrize(("path", "value", "message"), BAD_SNAPSHOTS)
def test_bad_snapshots_are_refused(path: Path, value: Any, message: str) -> None:
    data = good()
    put(data, path, value)
    with pytest.raises(ValueError, match=message):
        Game.from_snapshot(data)


def test_a_snapshot_is_a_dict() -> None:
    with pytest.raises(ValueError, match="bad snapshot: it must be a dict, got list"):
        Game.from_snapshot([])  # type: ignore[arg-type]  # a wrong type on purpose


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
    with pytest.raises(ValueError, match=f"bad snapshot: {name} must be .*, got {value!r}"):
        Game.from_snapshot({**game.snapshot(), name: value}, game.resume_state())


def test_the_setting_da_agent_is_a_bool() -> None:
    with pytest.raises(ValueError, match="da_agent must be True or False, got 'no'"):
        Game.from_snapshot(Game(mode="solo", seed=0).snapshot(), da_agent="no")


def test_a_packet_belongs_to_a_draft() -> None:
    data = Game(draft=True, seed=0).snapshot()
    del data["seats"][0]["packet"]
    with pytest.raises(ValueError, match=r"the keys of seat 0 must be .*'packet'"):
        Game.from_snapshot(data)


BAD_RESUME_STATES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda resume_state: {}, r"a resume state has the keys \['actor', .*\], got \{\}"),
    (lambda resume_state: {**resume_state, "page": 1}, r"a resume state has the keys"),
    (lambda resume_state: [1], r"a resume state has the keys .*, got \[1\]"),
]


@pytest.mark.parametrize(("change", "message"), BAD_RESUME_STATES, ids=range(len(BAD_RESUME_STATES)))
def test_bad_resume_states_are_refused(change: Callable[[dict[str, Any]], Any], message: str) -> None:
    game = Game(seed=0)
    with pytest.raises(ValueError, match=message):
        Game.from_snapshot(game.snapshot(), change(game.resume_state()))


def test_a_resume_state_of_another_position_is_refused() -> None:
    game = given(seat(hand=["Comms 2", "Energy 1"]), seat(), deck=["Aqualab 1", "Habitation g"])
    before = game.snapshot()
    play(game, "PLAY_HAND(Comms 2)")
    with pytest.raises(ValueError, match="this resume state does not belong to this snapshot"):
        Game.from_snapshot(before, game.resume_state())


MISFITS: list[tuple[str, Any]] = [
    *(("program", 99), ("line", 50), ("stage", 77), ("stage", "TURN"), ("actor", 6), ("played", 90)),
    *(("owner", 5), ("owner", None), ("left", 1000), ("drawn", 1 << 40), ("round_limit", -1), ("seed", -1)),
]
"""Entries of a resume state with invalid values."""


@pytest.mark.parametrize(("field", "value"), MISFITS)
def test_resume_states_that_mean_nothing_are_refused(field: str, value: Any) -> None:
    game = Game(seed=0)
    message = (
        f": {field} must be an integer in .*, got {value}" if field in RESUME_RANGES else " does not belong"
    )
    with pytest.raises(ValueError, match=f"resume state{message}"):
        Game.from_snapshot(game.snapshot(), {**game.resume_state(), field: value})


def test_a_refused_snapshot_is_not_changed() -> None:
    data = good()
    data["decision"] = "RECALL"
    before = copy.deepcopy(data)
    with pytest.raises(ValueError, match="no position"):
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
        game.step(game.legal()[0])
    again = Game.from_snapshot(game.snapshot(), round_limit=1)
    assert (again.over, again.truncated, again.legal()) == (True, True, [])
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
    with pytest.warns(
        UserWarning, match=r"3 positions fit this snapshot \(decision KEEP\); the first is used"
    ):
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
