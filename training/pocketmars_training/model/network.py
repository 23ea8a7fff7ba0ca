"""The network: one trunk that policy and value share."""

from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import nn

from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.model.masked_policy import MaskedPolicy
from pocketmars_training.model.thermometers import Thermometers, thermometers_of
from pocketmars_training.run.settings import Settings

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
        thermometers: of the observation.

    """

    def __init__(
        self, observation_space: spaces.Box, width: int, layers: int, thermometers: Thermometers
    ) -> None:
        super().__init__(observation_space, width)
        self.thermometers = thermometers
        inputs = observation_space.shape[0] + len(self.thermometers.columns)
        sizes = [inputs, *[width] * layers]
        steps = [nn.Sequential(nn.Linear(size, width), nn.ReLU()) for size in sizes[:-1]]
        self.layers = nn.Sequential(*steps)

    def deepen(self, layers: int) -> None:
        """Have at least so many layers: further ones begin as identities, which change nothing here."""
        width = self.features_dim
        for _ in range(layers - len(self.layers)):
            linear = nn.Linear(width, width)
            nn.init.eye_(linear.weight)
            nn.init.zeros_(linear.bias)
            self.layers.append(nn.Sequential(linear, nn.ReLU()))

    def linears(self) -> list[nn.Linear]:
        """The linear part of each layer."""
        return [part for part in self.layers.modules() if isinstance(part, nn.Linear)]

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
        policy_kwargs=network_settings(settings.spec, settings.width, settings.layers),
        stats_window_size=AVERAGED_GAMES,
        seed=settings.seed,
        device="cpu",
    )


def network_settings(spec: GameSpec, width: int, layers: int) -> dict[str, Any]:
    """`policy_kwargs` of SB3 for this network."""
    thermometers = thermometers_of(spec.layout)
    return {
        "features_extractor_class": Trunk,
        "features_extractor_kwargs": {"width": width, "layers": layers, "thermometers": thermometers},
        "net_arch": [],
    }


class Network(nn.Module):
    """What a policy computes, without the rest of it: it can be copied and exported.

    Args:
        trunk: `Trunk`.
        action_net: from its features to logits.
        value_net: from its features to a value.
        rival_net: from its features to the logits of the shares of the seats that follow in what the asked
            seat does not get; None in a network that has not been taught that.

    """

    def __init__(
        self, trunk: Trunk, action_net: nn.Linear, value_net: nn.Linear, rival_net: nn.Linear | None = None
    ) -> None:
        super().__init__()
        self.trunk, self.action_net, self.value_net, self.rival_net = trunk, action_net, value_net, rival_net

    @classmethod
    def of_policy(cls, policy: Any) -> "Network":
        """Of a policy of `new_model`; the layers are shared, so that the network learns with it."""
        return cls(policy.features_extractor, policy.action_net, policy.value_net)

    @classmethod
    def of_mlp(cls, mlp: Mlp) -> "Network":
        """A network with the weights of a policy file, see `PolicyAgent.mlp`."""
        layers, width = mlp.biases.shape
        space = spaces.Box(0, np.inf, (len(mlp.first) - len(mlp.columns),))
        trunk = Trunk(space, width, layers, Thermometers(mlp.columns, mlp.cuts))
        network = cls(trunk, nn.Linear(width, len(mlp.logits)), nn.Linear(width, 1))
        for linear, weight, bias in zip(trunk.linears(), (mlp.first, *mlp.others), mlp.biases, strict=True):
            take(linear, weight.T, bias)
        take(network.action_net, mlp.logits, mlp.logit_biases)
        take(network.value_net, mlp.value[None], mlp.value_bias)
        if len(mlp.opponent_win_split):
            network.add_rivals(len(mlp.opponent_win_split))
            take(cast(nn.Linear, network.rival_net), mlp.opponent_win_split, mlp.opponent_win_split_biases)
        return network

    def to_mlp(self) -> Mlp:
        """The same network for compiled searches; a copy."""
        hidden = [arrays_of(linear) for linear in self.trunk.linears()]
        logits, logit_biases = arrays_of(self.action_net)
        value, value_bias = arrays_of(self.value_net)
        width = len(value[0])
        opponent_win_split, opponent_win_split_biases = (
            np.zeros((0, width), np.float32),
            np.zeros(0, np.float32),
        )
        if self.rival_net is not None:
            opponent_win_split, opponent_win_split_biases = arrays_of(self.rival_net)
        rows = [np.ascontiguousarray(weight.T) for weight, _ in hidden]
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
            opponent_win_split=opponent_win_split,
            opponent_win_split_biases=opponent_win_split_biases,
        )

    def add_rivals(self, number: int) -> None:
        """Have a `rival_net`: a layer of zeros, for which all seats that follow are alike until it learns.

        Args:
            number: of seats that follow, at most.

        """
        if self.rival_net is None:
            self.rival_net = nn.Linear(self.value_net.in_features, number)
            nn.init.zeros_(self.rival_net.weight)
            nn.init.zeros_(self.rival_net.bias)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Logits ``(n, NUM_ACTIONS)``, not masked, values ``(n,)``, and rivals' logits if it has them."""
        features = self.trunk(observations)
        found = self.action_net(features), self.value_net(features).squeeze(-1)
        return found if self.rival_net is None else (*found, self.rival_net(features))


def take(linear: nn.Linear, weights: NDArray[np.float32], biases: NDArray[np.float32]) -> None:
    """Have a layer compute with these weights ``(outputs, inputs)`` and biases ``(outputs,)``."""
    with torch.no_grad():
        linear.weight.copy_(torch.tensor(weights))
        linear.bias.copy_(torch.tensor(biases))


def arrays_of(linear: nn.Linear) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Weights ``(outputs, inputs)`` and biases ``(outputs,)`` of a layer; copies."""
    return linear.weight.detach().numpy().copy(), linear.bias.detach().numpy().copy()
