"""The network: one trunk that policy and value share."""

from typing import Any

import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

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

    """

    def __init__(self, observation_space: spaces.Box, width: int, layers: int) -> None:
        super().__init__(observation_space, width)
        self.thermometers = Thermometers(*thermometer_flags())
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
    """What a policy of SB3 computes, without the rest of it: it can be copied and exported.

    Args:
        policy: of `new_model`; its layers are shared, so that the network learns with it.

    """

    def __init__(self, policy: Any) -> None:
        super().__init__()
        self.trunk = policy.features_extractor
        self.action_net = policy.action_net
        self.value_net = policy.value_net

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(n, NUM_ACTIONS)``, not masked, and values ``(n,)``."""
        features = self.trunk(observations)
        return self.action_net(features), self.value_net(features).squeeze(-1)
