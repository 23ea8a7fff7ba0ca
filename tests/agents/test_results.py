"""Tests of game results: win shares, margins, and errors for damaged lines."""

import json
from typing import Any

import pytest

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import Failure, GameResult, line_of
from pocketmars_env.games.pocket_mars.config import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC

MATCH = Match(("a", "b", "c"), GameConfig(players=3), 1)
RESULT = GameResult(MATCH, (0, 2), (9, 3, 9), False, (4, 5, 6), (0.5, 0.25, 1.0))
FAILED = GameResult(MATCH, (0, 1), (1, 2, 3), False, (4, 5, 6), (0.5, 0.25, 1.0), Failure(2, "lost"))


def test_a_shared_win_counts_as_shares() -> None:
    assert [RESULT.win_share(seat) for seat in range(3)] == [0.5, 0.0, 0.5]


def test_a_margin_is_over_the_mean_of_the_others_and_margins_sum_to_zero() -> None:
    margins = [RESULT.margin(seat) for seat in range(3)]
    assert margins == [3.0, -6.0, 3.0]


def test_a_line_gives_the_game_again() -> None:
    played = play_matches([Match(("random", "greedy:1"), GameConfig(), seed) for seed in range(3)])
    for result in [RESULT, FAILED, *played]:
        assert GameResult.from_line(result.to_line(), SPEC) == result
    assert all(len(result.actions) == sum(result.decisions) for result in played)


@pytest.mark.parametrize(
    "changes",
    [
        {"winners": []},
        {"winners": [1]},
        {"winners": [2, 0]},
        {"winners": [0, 3]},
        {"scores": [9, 3]},
        {"scores": [9, -3, 9]},
        {"failure": {"seat": 0, "reason": "lost"}},
        {"failure": {"seat": 5, "reason": "lost"}},
        {"usage": [[1, 2, 3, 4]]},
        {"match": {**MATCH.as_dict(), "config": {"players": 3, "planets": 1}}},
        {"match": {**MATCH.as_dict(), "rotation": 7}},
        {"actions": [1, 2, 3]},
        {"cheat": 1},
    ],
)
def test_a_damaged_line_is_refused(changes: dict[str, Any]) -> None:
    data = {**json.loads(RESULT.to_line()), **changes}
    with pytest.raises(ValueError, match=r"."):
        GameResult.from_line(line_of(data), SPEC)
