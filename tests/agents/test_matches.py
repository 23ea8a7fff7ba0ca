"""Tests of matches: seats, separate random streams, and error messages for invalid matches."""

import json
from typing import Any

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC

THREE = GameConfig(players=3)
SOLO = GameConfig(mode="solo", level="cyborg")


def test_a_rotation_moves_every_bot_on() -> None:
    tables = [[Match(("a", "b", "c"), THREE, 1, r).bot_at(seat) for seat in range(3)] for r in range(3)]
    assert tables == [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]]
    for rotation in range(3):
        match = Match(("a", "b", "c"), THREE, 1, rotation)
        assert [match.bot_at(match.seat_of(i)) for i in range(3)] == ["a", "b", "c"]


def test_every_bot_seat_and_game_has_a_stream_of_its_own() -> None:
    matches = [
        Match(("a", "a", "b"), config, seed, rotation)
        for config in (THREE, GameConfig(players=3, draft=True))
        for seed in (1, 2)
        for rotation in range(3)
    ]
    assert len({match.bot_seed(seat) for match in matches for seat in range(3)}) == 3 * len(matches)


def test_a_stream_depends_on_no_other_bot() -> None:
    streams = {Match(("a", "b", other), THREE, 1).bot_seed(0) for other in ("b", "c")}
    assert len(streams) == 1


def test_a_match_survives_json() -> None:
    for match in (Match(("a", "b", "c"), THREE, 7, 2, 5), Match(("a",), SOLO, 2**64 - 1)):
        assert Match.from_dict(json.loads(json.dumps(match.as_dict())), SPEC) == match


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"bots": ("a",)}, "bots"),
        ({"bots": ("a", "b", 1)}, "bots"),
        ({"config": SOLO}, "bots"),
        ({"config": GameConfig(mode="solo", da_agent=True)}, "bots"),
        ({"rotation": 3}, "rotation"),
        ({"bots": ("a",), "config": SOLO, "rotation": 1}, "rotation"),
        ({"seed": -1}, "seed"),
        ({"seed": None}, "seed"),
        ({"bots": ("a", "b", "\x1b[2J")}, "bots"),
        *[
            ({"seconds_per_decision": limit}, "seconds_per_decision")
            for limit in (0, -1.0, float("inf"), float("nan"), 10**400, True, "1")
        ],
    ],
)
def test_a_match_says_what_does_not_fit(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Match(**{"bots": ("a", "b", "c"), "config": THREE, "seed": 1, **settings})


@pytest.mark.parametrize("spoil", [None, {}, {"bots": 3}, {"config": {"players": "2"}}, {"config": {"x": 1}}])
def test_damaged_data_is_no_match(spoil: Any) -> None:
    data = spoil if not spoil else {**Match(("a", "b", "c"), THREE, 1).as_dict(), **spoil}
    with pytest.raises(ValueError, match=r"\w"):
        Match.from_dict(data, SPEC)
