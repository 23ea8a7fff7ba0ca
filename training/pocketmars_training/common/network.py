"""The policy and value network, with thermometer encoding of observations and shared hidden layers."""

from collections.abc import Sequence
from itertools import pairwise
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.layout import Piece

MASKED_LOGIT = -1e8
"""Logit of illegal actions. It is finite, because the entropy would be NaN otherwise."""
MAX_STEPS = 8
"""Maximum divisor (see `Piece.steps`) of counts that get a thermometer encoding (see `Thermometers`). Scores
have larger divisors, so they are not encoded in this way."""


class Diverged(ValueError):
    """Raised if the network's probabilities or gradients are not finite."""


def masked(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return the logits ``(n, NUM_ACTIONS)``, replaced with `MASKED_LOGIT` where the bool mask is False."""
    return logits.masked_fill(~masks, MASKED_LOGIT)


def log_probs_of(actions: torch.Tensor, log_probs: torch.Tensor) -> torch.Tensor:
    """Return the log-probabilities ``(n,)`` of the given actions; `log_probs` is ``(n, NUM_ACTIONS)``."""
    return log_probs.gather(1, actions.long().reshape(-1, 1)).squeeze(1)


def sample_actions(log_probs: torch.Tensor, generator: torch.Generator | None = None) -> torch.Tensor:
    """Sample one action for each row of log-probabilities.

    For each row, a random number below the total probability is looked up in the float64 cumulative
    probabilities, so actions with probability 0 are never sampled.

    Args:
        log_probs: ``(n, NUM_ACTIONS)`` log-probabilities.
        generator: the random number generator; by default, PyTorch's global generator.

    Returns:
        ``(n,)`` int64: the actions.

    """
    sums = log_probs.double().exp().cumsum(dim=1)
    if not sums[:, -1].isfinite().all():
        raise Diverged("the network's probabilities are nan; try a lower learning_rate")
    thresholds = torch.rand(len(log_probs), 1, dtype=torch.float64, device=sums.device, generator=generator)
    thresholds = thresholds * sums[:, -1:]
    return torch.searchsorted(sums, thresholds, right=True).squeeze(1)


class Thermometers(nn.Module):
    """Appends the thermometer encoding of counts to observations.

    For example, the entry "energy / 7" gets seven additional flags: at least 1, at least 2 and so on. With
    these flags, a linear layer can distinguish 3 from 4 directly. After four epochs of training on half
    a million searched positions, the network's KL divergence from the search's policies was 0.21 with the
    flags and 0.25 without them.

    Args:
        columns: ``(n,)`` int64, for each flag, the index of its observation entry.
        cuts: ``(n,)`` float32, the threshold of each flag: the smallest entry value that sets the flag.

    """

    columns: torch.Tensor
    cuts: torch.Tensor

    def __init__(self, columns: NDArray[np.int64], cuts: NDArray[np.float32]) -> None:
        super().__init__()
        self.register_buffer("columns", torch.tensor(columns), persistent=False)
        self.register_buffer("cuts", torch.tensor(cuts), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Encode observations ``(m, OBSERVATION_SIZE)`` as ``(m, OBSERVATION_SIZE + n)``."""
        flags = observations.index_select(1, self.columns) >= self.cuts
        return torch.cat([observations, flags.to(observations.dtype)], dim=1)


def thermometers_of(layout: Sequence[Piece]) -> Thermometers:
    """Create the thermometer encoding for an observation layout."""
    columns, cuts = list[int](), list[float]()
    start = 0
    for piece in layout:
        steps = np.broadcast_to(piece.steps, piece.shape).reshape(-1)
        for offset, most in enumerate(steps.tolist()):
            if most <= MAX_STEPS:
                columns += [start + offset] * most
                cuts += [(step - 0.5) / most for step in range(1, most + 1)]  # robust to rounding
        start += piece.size
    return Thermometers(np.array(columns, dtype=np.int64), np.array(cuts, dtype=np.float32))


class Trunk(nn.Module):
    """Hidden layers, each followed by a ReLU; all numbers of units in `net_arch` are equal."""

    def __init__(self, thermometers: Thermometers, inputs: int, net_arch: Sequence[int]) -> None:
        super().__init__()
        self.thermometers = thermometers
        sizes = pairwise([inputs + len(thermometers.columns), *net_arch])
        self.layers = nn.Sequential(*[nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in sizes])

    def deepen(self, layers: int) -> None:
        """Add identity layers until there are `layers` layers; the outputs do not change."""
        width = self.linears()[-1].out_features
        for _ in range(layers - len(self.layers)):
            linear = nn.Linear(width, width)
            nn.init.eye_(linear.weight)
            nn.init.zeros_(linear.bias)
            self.layers.append(nn.Sequential(linear, nn.ReLU()))

    def linears(self) -> list[nn.Linear]:
        """Return the linear modules of all layers, in order."""
        return [part for part in self.layers.modules() if isinstance(part, nn.Linear)]

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the features ``(n, width)`` of observations ``(n, OBSERVATION_SIZE)``."""
        features: torch.Tensor = self.layers(self.thermometers(observations))
        return features


class Network(nn.Module):
    """A policy and value network; the value is the expected final reward.

    The optional `split_net` maps features to the logits of the opponent win split, which contains each
    opponent's share of the opponents' total win probability, in turn order.
    """

    split_net: nn.Linear | None

    def __init__(self, trunk: Trunk, action_net: nn.Linear, value_net: nn.Linear) -> None:
        super().__init__()
        self.trunk, self.action_net, self.value_net, self.split_net = trunk, action_net, value_net, None

    @classmethod
    def untrained(cls, spec: GameSpec, net_arch: Sequence[int]) -> "Network":
        """Create a network with random orthogonal weights, as in Stable-Baselines3's policies."""
        trunk = Trunk(thermometers_of(spec.layout), spec.observation_size, net_arch)
        network = cls(trunk, nn.Linear(net_arch[-1], spec.num_actions), nn.Linear(net_arch[-1], 1))
        gains = [2**0.5] * len(net_arch) + [0.01, 1.0]
        for linear, gain in zip([*trunk.linears(), network.action_net, network.value_net], gains):
            nn.init.orthogonal_(linear.weight, gain)
            nn.init.zeros_(linear.bias)
        return network

    @classmethod
    def of_mlp(cls, mlp: Mlp) -> "Network":
        """Create a network with the weights of an `Mlp`, such as `PolicyAgent.mlp`."""
        layers, width = mlp.biases.shape
        trunk = Trunk(
            Thermometers(mlp.columns, mlp.cuts), len(mlp.first) - len(mlp.columns), [width] * layers
        )
        network = cls(trunk, nn.Linear(width, len(mlp.logits)), nn.Linear(width, 1))
        for linear, weight, bias in zip(trunk.linears(), (mlp.first, *mlp.others), mlp.biases, strict=True):
            set_weights(linear, weight.T, bias)
        set_weights(network.action_net, mlp.logits, mlp.logit_biases)
        set_weights(network.value_net, mlp.value[None], mlp.value_bias)
        if len(mlp.opponent_win_split):
            network.add_split(len(mlp.opponent_win_split))
            split_net = cast(nn.Linear, network.split_net)
            set_weights(split_net, mlp.opponent_win_split, mlp.opponent_win_split_biases)
        return network

    def to_mlp(self) -> Mlp:
        """Return a copy of the network's weights as an `Mlp`, for compiled searches."""
        hidden = [weights_of(linear) for linear in self.trunk.linears()]
        logits, logit_biases = weights_of(self.action_net)
        value, value_bias = weights_of(self.value_net)
        width = len(value[0])
        split = np.zeros((0, width), np.float32), np.zeros(0, np.float32)
        if self.split_net is not None:
            split = weights_of(self.split_net)
        rows = [np.ascontiguousarray(weight.T) for weight, _ in hidden]
        thermometers = self.trunk.thermometers
        return Mlp(
            columns=thermometers.columns.cpu().numpy().copy(),
            cuts=thermometers.cuts.cpu().numpy().copy(),
            first=rows[0],
            others=np.array(rows[1:], dtype=np.float32).reshape(-1, width, width),
            biases=np.stack([bias for _, bias in hidden]),
            logits=logits,
            logit_biases=logit_biases,
            value=value[0],
            value_bias=value_bias,
            opponent_win_split=split[0],
            opponent_win_split_biases=split[1],
        )

    def add_split(self, opponents: int) -> None:
        """Add a `split_net` if there is none. Its weights and biases are 0, so it predicts an even split."""
        if self.split_net is None:
            self.split_net = nn.Linear(self.value_net.in_features, opponents)
            nn.init.zeros_(self.split_net.weight)
            nn.init.zeros_(self.split_net.bias)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return unmasked logits ``(n, NUM_ACTIONS)``, values ``(n,)`` and, if present, split logits.

        The loss of the split does not train the trunk: its gradient is noisier than the policy's, with which
        it would share the limit `max_grad_norm`, and PPO would make a policy for 4 players weaker.
        """
        features = self.trunk(observations)
        outputs = self.action_net(features), self.value_net(features).squeeze(-1)
        return outputs if self.split_net is None else (*outputs, self.split_net(features.detach()))


def opponent_split_loss(win_shares: torch.Tensor, seats: torch.Tensor, logits: torch.Tensor) -> torch.Tensor:
    """Return the mean cross-entropy between the opponents' win shares and the predicted opponent win split.

    The win shares are not normalized, so each row is weighted by the opponents' total win share.

    Args:
        win_shares: ``(n, MAX_SEATS - 1)`` float32, the opponents' win shares in turn order.
        seats: ``(n,)`` int64, the number of seats in each game.
        logits: ``(n, MAX_SEATS - 1)`` float32, the logits of the predicted split.

    """
    is_present = torch.arange(1, logits.shape[1] + 1, device=logits.device) < seats[:, None]
    log_probs = masked(logits, is_present).log_softmax(dim=1)
    return -(win_shares.clamp(min=0) * log_probs * is_present).sum(dim=1).mean()


def set_weights(linear: nn.Linear, weights: NDArray[np.float32], biases: NDArray[np.float32]) -> None:
    """Set a layer's weights ``(outputs, inputs)`` and biases ``(outputs,)``."""
    with torch.no_grad():
        linear.weight.copy_(torch.tensor(weights))
        linear.bias.copy_(torch.tensor(biases))


def weights_of(linear: nn.Linear) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return copies of a layer's weights ``(outputs, inputs)`` and biases ``(outputs,)``."""
    return linear.weight.detach().cpu().numpy().copy(), linear.bias.detach().cpu().numpy().copy()
