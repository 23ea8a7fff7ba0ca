"""Tests of matches: seats, separate random streams, and error messages for invalid matches."""

from typing import Any

import pytest

from pocketmars_agents.arena.matches import Match
from pocketmars_env.games.pocket_mars.config import GameConfig

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


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"bots": ("a",)}, "bots must be printable names, 3 in total, got .'a',."),
        ({"config": SOLO}, "names, 1 in total"),
        ({"config": GameConfig(mode="solo", da_agent=True)}, "names, 2 in total"),
        ({"rotation": 3}, r"rotation must be an integer in 0\.\.2, got 3"),
        ({"bots": ("a",), "config": SOLO, "rotation": 1}, r"rotation must be an integer in 0\.\.0"),
        ({"seed": -1}, "seed must be"),
        ({"seed": None}, "seed must be"),
        ({"bots": ("a", "b", "\x1b[2J")}, "names, 3 in total"),
        *[
            ({"seconds_per_decision": limit}, "seconds_per_decision must be a finite number above 0")
            for limit in (0, -1.0, float("inf"), float("nan"), 10**400)
        ],
    ],
)
def test_a_match_says_what_does_not_fit(settings: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Match(**{"bots": ("a", "b", "c"), "config": THREE, "seed": 1, **settings})
