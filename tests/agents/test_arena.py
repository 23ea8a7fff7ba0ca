"""Tests of the arena: every deal in every rotation, fair shares, and mirror matches without a winner."""

import pytest

from pocketmars_agents.arena.arena import Deals, arena_table, line_up_of
from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_env.games.pocket_mars.config import GameConfig

FOUR = GameConfig(players=4)


def test_every_deal_is_played_in_every_rotation() -> None:
    matches = Deals(FOUR, count=2, first=5).matches(("a", "b", "c", "d"))
    assert len({match.seed for match in matches}) == 2
    for deal in (matches[:4], matches[4:]):
        assert len({match.seed for match in deal}) == 1
        for i in range(4):
            assert {match.seat_of(i) for match in deal} == {0, 1, 2, 3}


def test_other_deals_are_other_games() -> None:
    line_up = ("a", "b", "c", "d")
    assert not {*Deals(FOUR, 3).matches(line_up)} & {*Deals(FOUR, 3, first=3).matches(line_up)}


def test_the_last_bot_takes_the_seats_that_remain() -> None:
    assert line_up_of(("greedy", "random"), FOUR) == ("greedy", "random", "random", "random")
    assert line_up_of(("greedy:8", "random"), GameConfig()) == ("greedy", "random")


@pytest.mark.parametrize("bots", [("random",), ("random",) * 4])
def test_a_line_up_has_two_bots_or_more(bots: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=str(len(bots))):
        line_up_of(bots, GameConfig(players=3))


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"count": 0}, "deals"),
        ({"first": -1}, "deal"),
        ({"first": 2**32}, "deal"),
        ({"config": GameConfig(mode="solo")}, "players"),
    ],
)
def test_deals_say_what_is_accepted(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Deals(**settings)  # type: ignore[arg-type]  # deliberately invalid


def test_a_row_counts_shares_of_all_seats_of_a_bot() -> None:
    matches = Deals(FOUR, 1).matches(("a", "b", "b", "b"))
    outcomes = [((0,), (8, 0, 4, 4)), ((0, 1), (6, 6, 2, 2)), ((1,), (0, 4, 0, 0)), ((0,), (4, 0, 0, 0))]
    results = [
        GameResult(match, winners, scores, False, (10,) * 4, (0.1,) * 4)
        for match, (winners, scores) in zip(matches, outcomes)
    ]
    table = arena_table(("a", "b"), results)
    # bot a plays seats 0, 1, 2 and 3: wins 1 + ½ + 0 + 0, margins 16/3, 8/3, -4/3, -4/3
    assert table.rows[0][:4] == ("a", "1", "4", "1.5")
    assert table.rows[1][:4] == ("b", "3", "4", "2.5")
    assert table.rows[0][4].startswith("37.5 % [")
    assert table.rows[1][4].startswith("20.8 % [")
    assert table.rows[0][5].startswith("1.50 [")
    assert table.rows[0][6] == "+1.33"
    assert table.rows[1][6] == "-0.44"
    assert table.rows[0][7] == "10"
    assert "25.0 %" in table.notes[0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_mirror_shows_the_fair_share(players: int) -> None:
    config = GameConfig(players=players)
    matches = Deals(config, 100).matches(line_up_of(("greedy:1",) * 2, config))
    table = arena_table(("greedy:1", "greedy:1"), play_matches(matches))
    assert [row[0] for row in table.rows] == ["greedy:1", "greedy:1 (2)"]
    for row in table.rows:
        assert_near(1, *bounds(row[5]))
        assert_near(0, *bounds(row[6]))


def assert_near(expected: float, low: float, high: float) -> None:
    """Check that the value lies within 3.5 standard errors: the 95 % interval made 1.8 times as wide."""
    assert abs((low + high) / 2 - expected) < 1.8 * (high - low) / 2


def bounds(cell: str) -> tuple[float, float]:
    """Return the bounds of the interval in a table cell."""
    low, high = cell.partition("[")[2].rstrip("]").split(", ")
    return float(low), float(high)


def test_a_mirror_plays_different_games_in_its_rotations() -> None:
    first, second = play_matches(Deals(GameConfig(), 1).matches(("random", "random")))
    assert (first.scores, first.decisions) != (second.scores, second.decisions)
    assert isinstance(first.match, Match)
