"""RLlib's state in checkpoints: the weights and the optimizer state, as tensors and plain data.

RLlib's own checkpoints contain pickles, and loading a pickle can run arbitrary code.
"""

from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms import Algorithm

from pocketmars_training.common.network import Network
from pocketmars_training.rllib.pool import LEARNER

PARTS = ("rl_module", "optimizer")


def state_of(algorithm: Algorithm) -> dict[str, Any]:
    """Return the weights of all modules and the optimizer state, as tensors and plain data."""
    state = algorithm.learner_group.get_state(components=[f"learner/{part}" for part in PARTS])["learner"]
    kept: dict[str, Any] = as_tensors({part: state[part] for part in PARTS})
    return kept


def as_tensors(data: Any) -> Any:
    """Return a copy of nested data with NumPy arrays and scalars converted to tensors."""
    if isinstance(data, dict):
        return {key: as_tensors(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(as_tensors(value) for value in data)
    if isinstance(data, np.ndarray | np.generic):
        return torch.tensor(data)
    return data


def restore_state(algorithm: Algorithm, state: dict[str, Any]) -> None:
    """Load the result of `state_of` into RLlib's learner group and all runners."""
    algorithm.learner_group.set_state({"learner": state})
    set_weights(algorithm, state["rl_module"])


def set_weights(algorithm: Algorithm, weights: dict[str, Any]) -> None:
    """Set weights, keyed by module name, in all runners."""
    stored = ray.put(weights)  # stored once for all runners
    algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.module.set_state(ray.get(stored)))


def freeze(algorithm: Algorithm, past: str) -> None:
    """Copy the learner's weights to a past self's module in RLlib's learner group and all runners."""
    weights = {past: algorithm.learner_group.get_weights([LEARNER])[LEARNER]}
    algorithm.learner_group.set_weights(weights)
    set_weights(algorithm, weights)


def load_learner(network: Network, state: dict[str, Any]) -> None:
    """Load the learner's weights from the result of `state_of` into a network."""
    weights = state["rl_module"][LEARNER]
    network.load_state_dict({name.removeprefix("network."): value for name, value in weights.items()})
