"""Agents for training: `NetworkAgent` plays a network's policy, and `FrozenPolicy` is a fast opponent."""

import copy
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from pocketmars_agents import Agent
from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent, gumbel_noise
from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.view import Views
from pocketmars_training.common.device import NetworkInputs, device_of, to_device
from pocketmars_training.common.network import Network, masked

COUNTS = np.dtype(np.uint8)


class NetworkAgent(BatchedAgent):
    """An agent that plays the policy of a network.

    Args:
        name: the name of the agent.
        network: a network whose only or first output is logits or action values ``(n, NUM_ACTIONS)``. The
            network is not copied, so the agent always uses the network's current weights.
        is_sampling: whether to sample actions from the policy instead of playing the most probable action.

    """

    def __init__(self, name: str, network: nn.Module, is_sampling: bool = False) -> None:
        self.name = name
        self.is_sampling = is_sampling
        self._network = network

    @classmethod
    def frozen(cls, name: str, network: nn.Module) -> "NetworkAgent":
        """Create an agent that samples actions from a copy of the network."""
        return cls(name, copy.deepcopy(network), is_sampling=True)

    def load_state_dict(self, weights: dict[str, Any]) -> None:
        """Load the weights of another network with the same architecture."""
        self._network.load_state_dict(weights)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for every view; see `BatchAgent`."""
        with torch.no_grad():
            observations = to_device(torch.from_numpy(views.observations), device_of(self._network))
            found = self._network(observations)
            logits: torch.Tensor = found[0] if isinstance(found, tuple) else found
            logits = masked(logits.cpu(), torch.from_numpy(views.masks != 0))
            if self.is_sampling:
                logits = logits + torch.from_numpy(gumbel_noise(seeds, logits.shape[1]))
            chosen: NDArray[np.int64] = logits.argmax(dim=1).numpy()
        return chosen


class FrozenPolicy(BatchedAgent):
    """An agent that plays the most probable action of a policy.

    The actions are the same as those of `PolicyAgent`, except for rounding errors. Only about 100 entries of
    an observation are nonzero. Instead of multiplying all inputs by the weights, the first layer therefore
    adds up rows of a table, one row for each nonzero entry (see `first_layer_table`). With `bfloat16`, on a
    CPU that supports it, a batch takes about a third of the time that `PolicyAgent` needs.

    Args:
        name: the name of the agent.
        mlp: the policy's network.
        scales: factors that convert counts to observations; see `GameSpec.scales`.
        device: the device for the computation.
        bfloat16: whether to compute the layers after the first one in bfloat16.

    """

    def __init__(
        self, name: str, mlp: Mlp, scales: NDArray[np.float32], device: torch.device, bfloat16: bool
    ) -> None:
        self.name = name
        self._device, self._dtype = device, torch.bfloat16 if bfloat16 else torch.float32
        table, starts, has_flags = first_layer_table(mlp, scales)
        self._table, self._bias, self._starts, self._has_flags = (
            torch.from_numpy(array).to(device) for array in (table, mlp.biases[0], starts, has_flags)
        )
        network = Network.of_mlp(mlp)
        later = nn.Sequential(nn.ReLU(), *list(network.trunk.layers)[1:], network.action_net)
        self._later_layers = later.to(device, self._dtype)

    def act_batch(self, views: Views, seeds: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return a legal action for every view; see `BatchAgent`."""
        counts, masks = views.observe(COUNTS)
        with torch.no_grad():
            first = self._first_layer(to_device(torch.from_numpy(counts), self._device))
            logits = self._later_layers(first.to(self._dtype)).float().cpu()
            chosen: NDArray[np.int64] = masked(logits, torch.from_numpy(masks != 0)).argmax(dim=1).numpy()
        return chosen

    def _first_layer(self, counts: torch.Tensor) -> torch.Tensor:
        """Return the outputs of the first layer before the ReLU, ``(n, width)`` float32."""
        views, entries = counts.nonzero(as_tuple=True)
        found, has_flags = counts[views, entries], self._has_flags[entries]
        rows = self._starts[entries] + torch.where(has_flags, found.long() - 1, 0)
        factors = torch.where(has_flags, 1.0, found.float())
        starts = torch.searchsorted(views, torch.arange(len(counts), device=counts.device))
        sums = functional.embedding_bag(rows, self._table, starts, mode="sum", per_sample_weights=factors)
        return sums + self._bias


def first_layer_table(
    mlp: Mlp, scales: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.bool_]]:
    """Compute the contribution of each observation entry to the outputs of the first layer.

    Returns:
        table: ``(rows, width)`` float32, the contributions. An entry with thermometer flags (see
            `Thermometers` in `network.py`) has one row for each possible count except 0. Any other entry has
            a single row, for the count 1; it is multiplied by the actual count.
        starts: ``(OBSERVATION_SIZE,)`` int64, the index of the first row of each entry.
        has_flags: ``(OBSERVATION_SIZE,)`` bool, whether each entry has thermometer flags.

    """
    has_flags = np.isin(np.arange(len(scales)), mlp.columns)
    sizes = np.where(has_flags, np.rint(1 / scales).astype(np.int64), 1)  # counts are at most 1 / scale
    starts = np.cumsum(sizes) - sizes
    entries = np.repeat(np.arange(len(scales)), sizes)
    values = (np.arange(len(entries)) - starts[entries] + 1).astype(np.float32) * scales[entries]
    table = values[:, None] * mlp.first[entries]
    for flag, (column, cut) in enumerate(zip(mlp.columns, mlp.cuts)):
        rows = slice(starts[column], starts[column] + sizes[column])
        table[rows][values[rows] >= cut] += mlp.first[len(scales) + flag]
    return table, starts, has_flags


def fastest(agent: Agent, inputs: NetworkInputs, bfloat16: bool) -> Agent:
    """Return a `FrozenPolicy` with the agent's policy if possible, and the agent itself otherwise."""
    if not isinstance(agent, PolicyAgent) or agent.is_sampling or inputs.dtype != COUNTS or not agent.mlp:
        return agent
    return FrozenPolicy(agent.name, agent.mlp, agent.spec.scales, inputs.device, bfloat16)
