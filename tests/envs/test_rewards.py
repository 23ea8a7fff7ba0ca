"""Rewards from scores and winners."""

from itertools import combinations

import pytest

from pocketmars_env.envs.rewards import REWARDS, check_reward, final_rewards, illegal_reward
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.builders import given, seat


@pytest.mark.parametrize(
    ("seats", "winners", "expected"),
    [
        (2, [0], [1, -1]),
        (2, [1], [-1, 1]),
        (2, [0, 1], [0, 0]),
        (3, [2], [-1 / 2, -1 / 2, 1]),
        (3, [0, 2], [1 / 4, -1 / 2, 1 / 4]),
        (4, [1], [-1 / 3, 1, -1 / 3, -1 / 3]),
        (4, [0, 3], [1 / 3, -1 / 3, -1 / 3, 1 / 3]),
        (4, [0, 1, 2], [1 / 9, 1 / 9, 1 / 9, -1 / 3]),
        (4, [0, 1, 2, 3], [0, 0, 0, 0]),
    ],
)
def test_win_is_the_share_of_the_win(seats: int, winners: list[int], expected: list[float]) -> None:
    assert final_rewards("win", [0] * seats, winners) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        ([10, 4], [6, -6]),
        ([7, 7], [0, 0]),
        ([9, 3, 0], [7.5, -1.5, -6]),
        ([20, 10, 5, 1], [44 / 3, 4 / 3, -16 / 3, -32 / 3]),
    ],
)
def test_margin_is_the_score_minus_the_mean_of_the_others(scores: list[int], expected: list[float]) -> None:
    assert final_rewards("margin", scores, [0]) == pytest.approx(expected)


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_sum_to_zero(reward: str, seats: int) -> None:
    for number in range(1, seats + 1):
        for winners in combinations(range(seats), number):
            scores = [20 if number in winners else 3 * number for number in range(seats)]
            rewards = final_rewards(reward, scores, winners)
            assert sum(rewards) == pytest.approx(0)
            assert all(type(value) is float for value in rewards)
            losers = set(range(seats)) - set(winners)
            assert all(rewards[winner] > rewards[loser] for winner in winners for loser in losers)


def test_an_illegal_action_costs_more_than_the_greatest_loss() -> None:
    """The best score is 33 for the DA without a handicap, and 31 for a player (all colonists on ★★)."""
    nobody = seat(ship=0, energy=0)
    best_da = seat(ship=0, energy=1, star=[3, 0, 0, 0], star2=[1, 1, 1, 1])
    scores = given(nobody, best_da, mode="solo").scores
    assert scores == [0, 33]
    assert final_rewards("margin", scores, [1])[0] > illegal_reward("margin", SPEC)
    assert final_rewards("win", scores, [1])[0] >= illegal_reward("win", SPEC)


@pytest.mark.parametrize("name", ["wins", "", None])
def test_an_unknown_reward_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="reward"):
        check_reward(name)
    with pytest.raises(ValueError, match="reward"):
        final_rewards(name, [1, 2], [1])
