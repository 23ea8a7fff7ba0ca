"""The network as RLlib's modules: policies that never give an illegal action.

The examples use them too:

>>> RLModuleSpec(module_class=LearningModule, model_config={"width": 256, "layers": 2})

"""

from itertools import pairwise
from typing import Any

import torch
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.torch import TorchRLModule
from torch import nn

from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_training.common.network import masked, thermometers_of


class PolicyNetwork(nn.Module):
    """One trunk that policy and value share: what `export` and `NetworkAgent` take.

    Args:
        spec: the game.
        width: units of a hidden layer.
        layers: how many.

    """

    def __init__(self, spec: GameSpec, width: int, layers: int) -> None:
        super().__init__()
        self.spec = spec
        thermometers = thermometers_of(spec.layout)
        sizes = [spec.observation_size + len(thermometers.columns), *[width] * layers]
        steps = [nn.Sequential(nn.Linear(a, b), nn.ReLU()) for a, b in pairwise(sizes)]
        self.trunk = nn.Sequential(thermometers, *steps)
        self.action_net = nn.Linear(width, spec.num_actions)
        self.value_net = nn.Linear(width, 1)
        with torch.no_grad():  # at first all legal actions are about equally likely
            self.action_net.weight.mul_(0.01)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits ``(n, NUM_ACTIONS)``, not masked, and values ``(n,)`` for ``(n, OBSERVATION_SIZE)``."""
        features = self.trunk(observations)
        return self.action_net(features), self.value_net(features).squeeze(-1)


class FrozenModule(TorchRLModule):  # type: ignore[misc]  # Ray publishes no types
    """A policy that plays and does not learn.

    Observations have the entries ``observations`` and ``action_mask``, as those of
    `pocketmars_env.adapters.rllib.MultiAgentGame`. The model config has `width` and `layers` of
    `PolicyNetwork`, and may have the name of the `game`.

    Attributes:
        network: what it computes, without RLlib.

    """

    def setup(self) -> None:
        """Make the network; RLlib calls this once."""
        config = self.model_config
        spec = game_named(config.get("game", default_game().name))
        self.network = PolicyNetwork(spec, config["width"], config["layers"])

    def _forward(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """Logits ``(n, NUM_ACTIONS)``, very low for illegal actions."""
        entries = batch[Columns.OBS]
        logits, _ = self.network(entries["observations"])
        return {Columns.ACTION_DIST_INPUTS: masked(logits, entries["action_mask"] != 0)}


class LearningModule(FrozenModule, ValueFunctionAPI):  # type: ignore[misc]  # Ray publishes no types
    """The same, and it also says the value, so that PPO can teach it."""

    def _forward_train(self, batch: dict[str, Any], **kwargs: Any) -> dict[str, Any]:
        """The logits, and the trunk's features, from which `compute_values` goes on."""
        entries = batch[Columns.OBS]
        features = self.network.trunk(entries["observations"])
        logits = masked(self.network.action_net(features), entries["action_mask"] != 0)
        return {Columns.ACTION_DIST_INPUTS: logits, Columns.EMBEDDINGS: features}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """``(n,)`` float32: the final rewards expected."""
        if embeddings is None:
            embeddings = self.network.trunk(batch[Columns.OBS]["observations"])
        values: torch.Tensor = self.network.value_net(embeddings).squeeze(-1)
        return values
