"""Rewards at the end of a game. Until then every reward is 0."""

from collections.abc import Collection, Sequence

from pocketmars_env.engine.config import check_choice

REWARDS = ("win", "margin")

ILLEGAL_REWARD = {"win": -1.0, "margin": -40.0}
"""What an illegal action costs where it ends the episode: never less than losing the game.

Nobody can score more than 33 points (the DA, with four colonists on ★★), so no game is lost by 40.
"""


def check_reward(reward: str) -> None:
    """Raise a ValueError that names the accepted rewards, unless `reward` is one of them."""
    check_choice("reward", reward, REWARDS)


def final_rewards(reward: str, scores: Sequence[int], winners: Collection[int]) -> list[float]:
    """The rewards of all seats for a finished game; they sum to 0.

    - ``"win"``: the share of the win, from -1 to 1. With n seats and k winners a winner gets
      (n / k - 1) / (n - 1), anybody else -1 / (n - 1); so in a game of two, and against the DA, a
      win is 1, a loss -1, a shared win 0.
    - ``"margin"``: the own score minus the mean of the others' scores, in points.

    Args:
        reward: one of `REWARDS`.
        scores: the points of each seat, at least two of them; in the solo game player, DA.
        winners: the winning seats, at least one.

    Raises:
        ValueError: if there is no such reward; names the accepted ones.

    """
    check_reward(reward)
    others = len(scores) - 1
    if reward == "win":
        share = (len(scores) / len(winners) - 1) / others
        return [share if seat in winners else -1 / others for seat in range(len(scores))]
    total = sum(scores)
    return [score - (total - score) / others for score in scores]
