"""A model in training as an agent: on the ladder, and as its own opponent."""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents.bots.policy_agent import gumbel_noise
from pocketmars_env.core.view import View, Views
from pocketmars_training.model.masking import masked


class ModelAgent:
    """Answers as a network says.

    Args:
        name: the agent's name.
        network: of the policy, such as `network.Network`: gives logits ``(n, NUM_ACTIONS)``, values
            ``(n,)`` and maybe more for observations. An agent that shares it learns with it.
        is_sampling: whether answers are drawn from the policy, or always its likeliest.

    """

    def __init__(self, name: str, network: nn.Module, is_sampling: bool) -> None:
        self.name = name
        self.is_sampling = is_sampling
        self._network = network

    @classmethod
    def frozen(cls, name: str, network: nn.Module) -> "ModelAgent":
        """A sampling agent that stays as the network is now."""
        return cls(name, copy.deepcopy(network), is_sampling=True)

    def load(self, weights: dict[str, Any]) -> None:
        """Take the weights of another network of the same shape."""
        self._network.load_state_dict(weights)

    def act(self, view: View, rng: np.random.Generator) -> int:
        """One of the legal actions."""
        views = view.as_batch()
        return int(self.act_batch(views, rng.integers(0, 2**64, size=1, dtype=np.uint64))[0])

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """For every view one of its legal actions; see `BatchAgent`."""
        with torch.no_grad():
            logits, *_ = self._network(torch.from_numpy(views.observations))
            logits = masked(logits, torch.from_numpy(views.masks != 0))
            if self.is_sampling:
                logits = logits + torch.from_numpy(gumbel_noise(seeds, logits.shape[1]))
            chosen: NDArray[np.int64] = logits.argmax(dim=1).numpy()
        return chosen
