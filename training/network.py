"""The network: one trunk that policy and value share."""

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from agents.mlp import Mlp
from pocketmars_env import NUM_ACTIONS, OBSERVATION_SIZE
from training.masked_policy import MaskedPolicy
from training.settings import Settings
from training.thermometers import Thermometers, thermometer_flags

LAST_RATE = 0.1
"""The learning rate at the end, as a share of the one at the start."""
AVERAGED_GAMES = 1_000
"""The logs' mean return and length are those of so many games, the last ones."""


class Trunk(BaseFeaturesExtractor):
    """Hidden layers of one width, each followed by a ReLU, over an observation with thermometers.

    Args:
        observation_space: of flat observations.
        width: units of a layer.
        layers: how many.
        thermometers: by default those of `thermometer_flags`.

    """

    def __init__(
        self, observation_space: spaces.Box, width: int, layers: int, thermometers: Thermometers | None = None
    ) -> None:
        super().__init__(observation_space, width)
        self.thermometers = thermometers or Thermometers(*thermometer_flags())
        inputs = observation_space.shape[0] + len(self.thermometers.columns)
        sizes = [inputs, *[width] * layers]
        steps = [nn.Sequential(nn.Linear(size, width), nn.ReLU()) for size in sizes[:-1]]
        self.layers = nn.Sequential(*steps)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """``(n, width)`` for ``(n, OBSERVATION_SIZE)``."""
        features: torch.Tensor = self.layers(self.thermometers(observations))
        return features


def new_model(env: VecEnv, settings: Settings) -> MaskablePPO:
    """An untrained model for an environment."""
    torch.set_num_threads(settings.threads)
    improved = max(1, settings.decisions - settings.imitation_decisions) / settings.decisions

    def learning_rate(left: float) -> float:
        """Of what is left of all decisions, 0..1, the imitation has had its share already."""
        return settings.learning_rate * (LAST_RATE + (1 - LAST_RATE) * min(1.0, left / improved))

    return MaskablePPO(
        MaskedPolicy,
        env,
        n_steps=settings.steps,
        batch_size=settings.batch,
        n_epochs=settings.epochs,
        learning_rate=learning_rate,
        gamma=1.0,
        gae_lambda=settings.gae,
        clip_range=settings.clip,
        ent_coef=settings.entropy,
        policy_kwargs=network_settings(settings.width, settings.layers),
        stats_window_size=AVERAGED_GAMES,
        seed=settings.seed,
        device="cpu",
    )


def network_settings(width: int, layers: int) -> dict[str, Any]:
    """`policy_kwargs` of SB3 for this network."""
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"width": width, "layers": layers},
        "net_arch": [],
    }


class Network(nn.Module):
    """What a policy computes, without the rest of it: it can be copied and exported.

    Args:
        trunk: `Trunk`.
        action_net: from its features to logits.
        value_net: from its features to a value.

    """

    def __init__(self, trunk: Trunk, action_net: nn.Linear, value_net: nn.Linear) -> None:
        super().__init__()
        self.trunk, self.action_net, self.value_net = trunk, action_net, value_net

    @classmethod
    def of_policy(cls, policy: Any) -> "Network":
        """Of a policy of `new_model`; the layers are shared, so that the network learns with it."""
        return cls(policy.features_extractor, policy.action_net, policy.value_net)

    @classmethod
    def of_mlp(cls, mlp: Mlp) -> "Network":
        """A network with the weights of a policy file, see `PolicyAgent.mlp`."""
        layers, width = mlp.biases.shape
        space = spaces.Box(0, np.inf, (OBSERVATION_SIZE,))
        trunk = Trunk(space, width, layers, Thermometers(mlp.columns, mlp.cuts))
        network = cls(trunk, nn.Linear(width, NUM_ACTIONS), nn.Linear(width, 1))
        weights = [mlp.first.T, *mlp.others.swapaxes(1, 2), mlp.logits, mlp.value[None]]
        biases = [*mlp.biases, mlp.logit_biases, mlp.value_bias]
        with torch.no_grad():
            for linear, weight, bias in zip(network.linears(), weights, biases, strict=True):
                linear.weight.copy_(torch.tensor(weight))
                linear.bias.copy_(torch.tensor(bias))
        return network

    def to_mlp(self) -> Mlp:
        """The same network for compiled searches; a copy."""
        linears = [
            (linear.weight.detach().numpy().copy(), linear.bias.detach().numpy().copy())
            for linear in self.linears()
        ]
        *hidden, (logits, logit_biases), (value, value_bias) = linears
        rows = [np.ascontiguousarray(weight.T) for weight, _ in hidden]
        width = len(hidden[0][1])
        others = np.array(rows[1:], dtype=np.float32).reshape(-1, width, width)
        biases = np.stack([bias for _, bias in hidden])
        flags = self.trunk.thermometers
        return Mlp(
            columns=flags.columns.numpy().copy(),
            cuts=flags.cuts.numpy().copy(),
            first=rows[0],
            others=others,
            biases=biases,
            logits=logits,
            logit_biases=logit_biases,
            value=value[0],
            value_bias=value_bias,
        )

    def linears(self) -> list[nn.Linear]:
        """All linear layers: the hidden ones, the one of the logits, the one of the value."""
        hidden = [step for step in self.trunk.modules() if isinstance(step, nn.Linear)]
        return [*hidden, self.action_net, self.value_net]

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(n, NUM_ACTIONS)``, not masked, and values ``(n,)``."""
        features = self.trunk(observations)
        return self.action_net(features), self.value_net(features).squeeze(-1)
