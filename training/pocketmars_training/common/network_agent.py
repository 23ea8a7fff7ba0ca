"""Agent that plays the network in training, for evaluation and as its own opponent."""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents.bots.policy_agent import gumbel_noise
from pocketmars_env.core.view import View, Views
from pocketmars_training.common.device import device_of, to_device
from pocketmars_training.common.network import masked


class NetworkAgent:
    """Agent that plays a network's policy.

    Args:
        name: the agent's name. network: returns logits ``(n, NUM_ACTIONS)`` first. It is not copied, so the
        agent improves as the network learns. is_sampling: whether actions are sampled from the policy;
        otherwise the most probable one is played.

    """

    def __init__(self, name: str, network: nn.Module, is_sampling: bool) -> None:
        self.name = name
        self.is_sampling = is_sampling
        self._network = network

    @classmethod
    def frozen(cls, name: str, network: nn.Module) -> "NetworkAgent":
        """Return a sampling agent with a copy of the network."""
        return cls(name, copy.deepcopy(network), is_sampling=True)

    def load_state_dict(self, weights: dict[str, Any]) -> None:
        """Load the weights of another network of the same shape."""
        self._network.load_state_dict(weights)

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return a legal action."""
        seeds = rng.integers(0, 2**64, size=1, dtype=np.uint64)
        return int(self.act_batch(view.as_batch(), seeds)[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for every view; see `BatchAgent`."""
        with torch.no_grad():
            observations = to_device(torch.from_numpy(views.observations), device_of(self._network))
            logits, *_ = self._network(observations)
            logits = masked(logits.cpu(), torch.from_numpy(views.masks != 0))
            if self.is_sampling:
                logits = logits + torch.from_numpy(gumbel_noise(seeds, logits.shape[1]))
            chosen: NDArray[np.int64] = logits.argmax(dim=1).numpy()
        return chosen
