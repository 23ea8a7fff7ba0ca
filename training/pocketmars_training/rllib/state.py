"""What a checkpoint keeps of RLlib: weights and optimizer as tensors, without code.

RLlib's own checkpoints hold pickles, which run code when they are read; these hold none.
"""

from typing import Any

import numpy as np
import ray
import torch
from ray.rllib.algorithms import Algorithm

from pocketmars_training.rllib.module import PolicyNetwork
from pocketmars_training.rllib.pool import LEARNER

KEPT = ("rl_module", "optimizer")


def state_of(algorithm: Algorithm) -> dict[str, Any]:
    """Weights of all modules and the optimizer's state: tensors and plain data."""
    state = algorithm.learner_group.get_state(components=[f"learner/{part}" for part in KEPT])["learner"]
    kept: dict[str, Any] = as_tensors({part: state[part] for part in KEPT})
    return kept


def as_tensors(data: Any) -> Any:
    """The same data with tensors of their own in place of arrays."""
    if isinstance(data, dict):
        return {key: as_tensors(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)(as_tensors(value) for value in data)
    if isinstance(data, np.ndarray | np.generic):
        return torch.tensor(data)
    return data


def restore_state(algorithm: Algorithm, state: dict[str, Any]) -> None:
    """Take up what `state_of` gave, in the learner and in all that play."""
    algorithm.learner_group.set_state({"learner": {part: state[part] for part in KEPT}})
    give_weights(algorithm, state["rl_module"])


def give_weights(algorithm: Algorithm, weights: dict[str, Any]) -> None:
    """Give modules these weights, by their names, in all processes that play."""
    stored = ray.put(weights)  # once, whatever the number of runners
    algorithm.env_runner_group.foreach_env_runner(lambda runner: runner.module.set_state(ray.get(stored)))


def freeze(algorithm: Algorithm, past: str) -> None:
    """Give a past self the learner's present weights, everywhere."""
    weights = {past: algorithm.learner_group.get_weights([LEARNER])[LEARNER]}
    algorithm.learner_group.set_weights(weights)
    give_weights(algorithm, weights)


def copy_learner(state: dict[str, Any], network: PolicyNetwork) -> None:
    """Give a network the learner's weights of a state."""
    weights = state["rl_module"][LEARNER]
    network.load_state_dict({name.removeprefix("network."): value for name, value in weights.items()})
