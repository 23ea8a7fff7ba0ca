"""Behavior cloning from recorded games, with d3rlpy's DiscreteBC."""

from typing import Any

import torch
from d3rlpy.algos import DiscreteBCConfig

from .offline import train_offline
from .recorder import Recorder

SETTINGS: dict[str, Any] = {"batch_size": 256, "learning_rate": 1e-3, "beta": 0.0}


def train(recorder: Recorder) -> None:
    train_offline(recorder, DiscreteBCConfig, SETTINGS, logits)


def logits(algorithm: Any, observations: torch.Tensor) -> torch.Tensor:
    """Return the policy's logits ``(n, NUM_ACTIONS)`` for scaled observations ``(n, OBSERVATION_SIZE)``."""
    outputs: torch.Tensor = algorithm.impl.modules.imitator(observations).logits
    return outputs
