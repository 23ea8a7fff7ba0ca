"""Discrete conservative Q-learning from recorded games, with d3rlpy's DiscreteCQL.

d3rlpy does not support action masks, so the Q-learning targets and the conservative loss include illegal
actions. Illegal actions are masked when the policy plays.
"""

from typing import Any

import torch
from d3rlpy.algos import DiscreteCQLConfig

from .offline import train_offline
from .recorder import Recorder

SETTINGS: dict[str, Any] = {
    "batch_size": 256,
    "learning_rate": 3e-4,
    "gamma": 0.99,
    "alpha": 1.0,
    "target_update_interval": 1_000,
}


def train(recorder: Recorder) -> None:
    train_offline(recorder, DiscreteCQLConfig, SETTINGS, values)


def values(algorithm: Any, observations: torch.Tensor) -> torch.Tensor:
    """Return the action values ``(n, NUM_ACTIONS)`` for scaled observations ``(n, OBSERVATION_SIZE)``."""
    outputs: torch.Tensor = algorithm.impl.q_function[0](observations).q_value
    return outputs
