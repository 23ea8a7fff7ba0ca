"""Agents for training: `NetworkAgent` plays a network's policy, and `FrozenPolicy` is a fast opponent."""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents import Agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent, gumbel_noise
from pocketmars_agents.network.first_layer import first_layer_of, first_layer_outputs
from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.game import Views
from pocketmars_training.common.device import NetworkInputs, device_of, to_device
from pocketmars_training.common.network import Network, masked

COUNTS = np.dtype(np.uint8)


class NetworkAgent(BatchedAgent):
    """An agent that plays the policy of a network, with its current weights: the network is not copied.

    The network's only or first output is logits or action values ``(n, NUM_ACTIONS)``. The agent plays the
    most probable action or, with `is_sampling`, samples from the policy.
    """

    def __init__(self, name: str, network: nn.Module, is_sampling: bool = False) -> None:
        self.name = name
        self.is_sampling = is_sampling
        self.network = network

    @classmethod
    def frozen(cls, name: str, network: nn.Module) -> "NetworkAgent":
        """Create an agent that samples actions from a copy of the network."""
        return cls(name, copy.deepcopy(network), is_sampling=True)

    def load_state_dict(self, weights: dict[str, Any]) -> None:
        """Load the weights of another network with the same architecture."""
        self.network.load_state_dict(weights)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        with torch.no_grad():
            observations = to_device(torch.from_numpy(views.observations), device_of(self.network))
            outputs = self.network(observations)
            logits: torch.Tensor = outputs[0] if isinstance(outputs, tuple) else outputs
            logits = masked(logits.cpu(), torch.from_numpy(views.masks != 0))
            if self.is_sampling:
                logits = logits + torch.from_numpy(gumbel_noise(seeds, logits.shape[1]))
            chosen: NDArray[np.int64] = logits.argmax(dim=1).numpy()
        return chosen


class FrozenPolicy(BatchedAgent):
    """An agent that plays the most probable action of a policy.

    The actions are the same as those of `PolicyAgent`, except for rounding errors. The first layer is
    computed on the CPU with a lookup table; see `first_layer.py`. The other layers are computed on the device
    and, with `bfloat16`, in this type; on a CPU that supports it, a batch then takes about a third of the
    time that `PolicyAgent` needs.
    """

    def __init__(
        self, name: str, mlp: Mlp, scales: NDArray[np.float32], device: torch.device, bfloat16: bool
    ) -> None:
        self.name = name
        self._device, self._dtype = device, torch.bfloat16 if bfloat16 else torch.float32
        self._first_layer = first_layer_of(mlp, scales)
        network = Network.of_mlp(mlp)
        hidden = [part for linear in network.trunk.linears()[1:] for part in (linear, nn.ReLU(inplace=True))]
        self._later_layers = nn.Sequential(*hidden, network.action_net).to(device, self._dtype)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        counts, masks = views.observe(COUNTS)
        hidden = torch.from_numpy(first_layer_outputs(counts, self._first_layer))
        with torch.no_grad():
            outputs = self._later_layers(to_device(hidden, self._device).to(self._dtype))
            logits = outputs.float().cpu().numpy()
        chosen: NDArray[np.int64] = np.where(masks != 0, logits, -np.inf).argmax(axis=1)
        return chosen


def fastest(agent: Agent, inputs: NetworkInputs, bfloat16: bool) -> Agent:
    """Return a `FrozenPolicy` with the agent's policy if possible, and the agent itself otherwise."""
    if not isinstance(agent, PolicyAgent) or agent.is_sampling or inputs.dtype != COUNTS or not agent.mlp:
        return agent
    return FrozenPolicy(agent.name, agent.mlp, agent.spec.scales, inputs.device, bfloat16)
