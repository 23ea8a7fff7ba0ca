"""Training runs in which one network learns from all seats that it plays."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import optim

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.errors import quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.common.device import NetworkInputs, device_named, device_of
from pocketmars_training.common.network import Diverged, Network
from pocketmars_training.common.run import Run
from pocketmars_training.common.settings import FINAL_RATE
from pocketmars_training.common.training_spec import is_solo, training_of


def mlp_of(start: Path, spec: GameSpec) -> Mlp:
    """Load the network of an initial policy."""
    policy = PolicyAgent(start)
    if policy.spec is not spec:
        raise ValueError(f"game must be that of the initial policy, {policy.spec.name!r}, got {spec.name!r}")
    mlp = policy.mlp
    if mlp is None:
        raise ValueError(f"start must be a policy exported by a training script, got {quoted(str(start))}")
    return mlp


class NetworkRun(Run):
    """A run that trains a `Network`, `learner`, on the decisions of all seats that it plays."""

    network: Network

    def __init__(self, settings: Any) -> None:
        training = training_of(settings.spec)
        matchups, name = training.matchups(settings.players), training.policy_name
        if training.solo and is_solo(settings.spec, settings.players):
            matchups, name = list(training.solo.matchups), "solo"
        super().__init__(settings, matchups, training.baselines, name)

    def build(self) -> None:
        settings, self.num_timesteps = self.settings, 0
        torch.set_num_threads(settings.threads)
        self.start_card = None if settings.start is None else PolicyAgent(settings.start).card
        self.learner = self.network = self.initial_network()
        self.learner.add_split(settings.spec.max_seats - 1)
        self.learner.to(device_named(settings.device))
        if device_of(self.learner).type == "cuda":
            torch.set_float32_matmul_precision("high")  # TF32: precise enough for training, and faster
        self.inputs = NetworkInputs(
            settings.spec, [settings.spec.config(**kind) for kind in settings.kinds], device_of(self.learner)
        )
        self.optimizer = optim.Adam(self.learner.parameters(), lr=settings.learning_rate)

    def initial_network(self) -> Network:
        """Create the initial network; this implementation loads it from the policy in the setting `start`."""
        assert self.settings.start is not None
        return Network.of_mlp(mlp_of(self.settings.start, self.settings.spec))

    def decay(self, first: int = 0) -> float:
        """Set the learning rate for an update, and return it as a share of the initial learning rate.

        The decay starts when `first` decisions have been made.
        """
        left = max(0.0, 1 - (self.num_timesteps - first) / (self.settings.total_timesteps - first))
        rate: float = self.settings.learning_rate * (FINAL_RATE + (1 - FINAL_RATE) * left)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate / float(self.settings.learning_rate)

    def optimizer_step(self, loss: torch.Tensor) -> None:
        """Take one optimizer step."""
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # untyped in PyTorch
        norm = torch.nn.utils.clip_grad_norm_(self.learner.parameters(), self.settings.max_grad_norm)
        if not norm.isfinite():  # checked before a NaN can reach the weights
            raise Diverged("the gradient is not finite; try a lower learning_rate")
        self.optimizer.step()

    def log(self, prefix: str, steps: Sequence[Mapping[str, float]], **numbers: float) -> None:
        """Log the mean of each metric over the optimizer steps of an update, and the given `numbers`."""
        means = {name: float(np.mean([step[name] for step in steps])) for name in steps[0]}
        for name, number in (means | numbers).items():
            self.logger.record(f"{prefix}/{name}", number)
        self.logger.record(f"{prefix}/learning_rate", self.optimizer.param_groups[0]["lr"])
        if self.num_timesteps:  # 0 in the first update, whose decisions are counted later
            self.logger.record("time/decisions_per_second", self.num_timesteps / self.seconds)
        self.logger.dump(self.num_timesteps)

    def card(self, results: Any) -> dict[str, Any]:
        """Return the policy's model card, which contains the initial policy's model card if there is one."""
        start = {} if self.start_card is None else {"start": self.start_card}
        return super().card(results) | start

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {
            "optimizer": self.optimizer.state_dict(),
            "policy": self.learner.state_dict(),
            "start": self.start_card,
        }

    def load_state_dict(self, content: dict[str, Any]) -> None:
        super().load_state_dict(content)
        self.optimizer.load_state_dict(content["optimizer"])
        self.learner.load_state_dict(content["policy"])
        self.start_card = content["start"]  # not read from the file, which may have changed
