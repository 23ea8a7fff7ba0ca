"""RLlib modules that wrap the network and mask the logits of illegal actions.

`LearningModule` also works outside the training script, as in the example `rllib_ppo.py`:

>>> RLModuleSpec(module_class=LearningModule, model_config={"net_arch": (256, 256)})

"""

from collections.abc import Sequence
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_training.common.network import Network, Trunk, masked, thermometers_of


def new_network(spec: GameSpec, net_arch: Sequence[int]) -> Network:
    """Return an untrained network that assigns nearly equal probabilities to all legal actions."""
    trunk = Trunk(thermometers_of(spec.layout), spec.observation_size, net_arch)
    network = Network(trunk, nn.Linear(net_arch[-1], spec.num_actions), nn.Linear(net_arch[-1], 1))
    with torch.no_grad():
        network.action_net.weight.mul_(0.01)
    return network


class FrozenModule(TorchRLModule):  # type: ignore[misc]  # Ray publishes no types
    """A policy that does not learn.

    Observations have the entries ``observations`` and ``action_mask``, as in
    `pocketmars_env.adapters.rllib.MultiAgentGame`. The model config contains ``net_arch`` (the widths of the
    hidden layers) and, optionally, ``game`` (the name of the game; by default ``"pocket_mars"``).
    """

    def setup(self) -> None:
        """Create the network; RLlib calls this method once."""
        spec = game_named(self.model_config.get("game", default_game().name))
        self.network = new_network(spec, self.model_config["net_arch"])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return the masked logits ``(n, NUM_ACTIONS)`` float32."""
        return self._logits_of(batch, self._features(batch))

    def _features(self, batch: dict[str, Any]) -> torch.Tensor:
        features: torch.Tensor = self.network.trunk(batch[Columns.OBS]["observations"])
        return features

    def _logits_of(self, batch: dict[str, Any], features: torch.Tensor) -> dict[str, Any]:
        masks = batch[Columns.OBS]["action_mask"] != 0
        return {Columns.ACTION_DIST_INPUTS: masked(self.network.action_net(features), masks)}


class LearningModule(FrozenModule, ValueFunctionAPI):  # type: ignore[misc]  # Ray publishes no types
    """A policy that learns and has a value function."""

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Return the masked logits, and the features for `compute_values`."""
        features = self._features(batch)
        return self._logits_of(batch, features) | {Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """Return the values ``(n,)`` float32, the expected discounted final rewards."""
        features = self._features(batch) if embeddings is None else embeddings
        values: torch.Tensor = self.network.value_net(features).squeeze(-1)
        return values
