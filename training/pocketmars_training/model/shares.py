"""How the seats share a win, and learning of it."""

import numpy as np
import torch
from numpy.typing import NDArray

from pocketmars_training.model.masking import masked


def shares_of_wins(rewards: NDArray[np.float64], seats: int) -> NDArray[np.float64]:
    """The reward "win" the other way round: 1 / k for a win shared by k seats, 0 for a loss."""
    return (rewards * (seats - 1) + 1) / seats


def shares_from(seat: int, rewards: NDArray[np.float64], max_seats: int) -> NDArray[np.float32]:
    """``(max_seats,)`` float32: the shares of the win of a seat and those that follow it, in turn order.

    Args:
        seat: the first one.
        rewards: ``(seats,)`` float64 in the end.
        max_seats: the most seats that a table of the game can have.

    """
    found = np.zeros(max_seats, np.float32)
    found[: len(rewards)] = np.roll(shares_of_wins(rewards, len(rewards)), -seat)
    return found


def rivals_loss(shares: torch.Tensor, seats: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
    """The cross-entropy of what the seats that follow get, and what the network says that they share.

    Args:
        shares: ``(n, MAX_SEATS - 1)`` float32 of the win, in turn order.
        seats: ``(n,)`` int64 at the tables, the asked one included.
        logits: ``(n, MAX_SEATS - 1)`` float32.

    """
    are_there = torch.arange(1, logits.shape[1] + 1) < seats[:, None]
    logs = masked(logits, are_there).log_softmax(dim=1)
    return -(shares.clamp(min=0) * logs * are_there).sum(dim=1).mean()
