"""Rewards and results at the end of an episode."""

import functools
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pocketmars_env.core.game import Game
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.settings import check_choice

REWARDS = ("win", "margin")
RESULTS = ("scores", "won", "win_share", "termination", "rounds")
"""The keys of an episode's results in the infos; see `results_of`."""


def illegal_reward(reward: str, spec: GameSpec) -> float:
    """Return the reward for an illegal action that ends the episode; no finished game gives a lower reward.

    The reward is -1 for ``"win"``, and ``-GameSpec.margin_bound`` points for ``"margin"``.
    """
    return {"win": -1.0, "margin": -spec.margin_bound}[reward]


def check_reward(reward: str) -> None:
    """Raise a ValueError unless `reward` is one of `REWARDS`; the message names the accepted rewards."""
    check_choice("reward", reward, REWARDS)


def final_rewards(reward: str, scores: Sequence[int], winners: Collection[int]) -> list[float]:
    """Return the rewards of all seats for a finished game; they sum to 0.

    - ``"win"``: the seat's share of the win, shifted and scaled so that the rewards sum to 0 and a sole
      winner gets 1. With n seats and k winners, each winner gets (n / k - 1) / (n - 1), and each other seat
      gets -1 / (n - 1). With two seats, a win gives 1, a loss -1, and a shared win 0.
    - ``"margin"``: the seat's score minus the mean score of the other seats, in points.

    Args:
        reward: one of `REWARDS`.
        scores: the points of each seat, automata included; at least two seats.
        winners: the winning seats, at least one.

    Raises:
        ValueError: if `reward` is not one of `REWARDS`; the message names the accepted rewards.

    """
    return list(_final_rewards(reward, tuple(scores), frozenset(winners)))


@functools.lru_cache(maxsize=4096)  # many games end with the same scores and winners
def _final_rewards(reward: str, scores: tuple[int, ...], winners: frozenset[int]) -> tuple[float, ...]:
    has_won = np.array([[seat in winners for seat in range(len(scores))]])
    return tuple(final_rewards_all(reward, np.array([scores]), has_won)[0].tolist())


def final_rewards_all(
    reward: str, scores: NDArray[np.int64], has_won: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return `final_rewards` for n finished games, ``(n, seats)`` float64.

    `scores` is ``(n, seats)`` int64, and `has_won` ``(n, seats)`` bool, with at least one winner in each row.
    """
    check_reward(reward)
    seats = scores.shape[1]
    if reward == "win":
        shares = seats * has_won / has_won.sum(axis=1, keepdims=True)
        rewards: NDArray[np.float64] = (shares - 1) / (seats - 1)
    else:
        rewards = scores - (scores.sum(axis=1, keepdims=True) - scores) / (seats - 1)
    return rewards


def results_of(
    game: Game, scores: list[int], winners: list[int], seats: Iterable[int]
) -> list[dict[str, NDArray[Any]]]:
    """Return the results of an ended episode for the infos of the given seats.

    `scores` and `winners` are those of the game.

    If the game is not over, an illegal action has ended the episode, and nobody has won. All values are
    arrays, and all except ``scores`` have the shape ``()``, because TorchRL needs values with a dtype:

    - ``scores``: ``(seats,)`` int64, the points of all seats;
    - ``won``: bool, whether the seat has won, alone or with others;
    - ``win_share``: float64, 1 divided by the number of winners if the seat has won, otherwise 0;
    - ``termination``: int64, how the game ended (an index into `GameSpec.terminations`); -1 before the end;
    - ``rounds``: int64, the number of the last round.
    """
    termination, rounds = game._termination(), int(game.states["round_number"][0])
    return [
        {
            "scores": np.array(scores),
            "won": np.array(seat in winners),
            "win_share": np.array(1 / len(winners) if seat in winners else 0.0),
            "termination": np.array(termination),
            "rounds": np.array(rounds),
        }
        for seat in seats
    ]


def results_of_all(
    games: Games, scores: NDArray[np.int64], has_won: NDArray[np.bool_], seats: NDArray[np.int64]
) -> dict[str, NDArray[Any]]:
    """Return the results of n ended episodes, each for one seat, as arrays with n rows; see `results_of`.

    `scores` and `has_won` are the standings of the games.
    """
    has_won = has_won & games.over[:, None]
    won = has_won[np.arange(len(games)), seats]
    return {
        "scores": scores,
        "won": won,
        "win_share": won / np.maximum(has_won.sum(axis=1), 1),
        "termination": games.termination,
        "rounds": games.states["round_number"].astype(np.int64),
    }
