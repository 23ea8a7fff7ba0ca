"""Trainings that make a policy better which a training has made: what they have in common."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import optim

from pocketmars_agents.bots.policy_agent import PolicyAgent
from pocketmars_agents.network.mlp import Mlp
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_training.model.network import LAST_RATE, Network
from pocketmars_training.run.game_settings import GameSettings
from pocketmars_training.run.run import Run
from pocketmars_training.run.settings import LocalSettings
from pocketmars_training.run.training_spec import is_solo, training_of


@dataclass(frozen=True, kw_only=True)
class FurtherSettings(GameSettings, LocalSettings):
    """What every training has that begins with a policy.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    start: Path
    """The initial policy: an ONNX file written by one of these scripts."""
    players: tuple[int, ...] = (2, 3, 4)
    """Player counts, each in an equal part of the games; name one twice to double its part. 1 alone is the
    solo game, with its levels in equal parts."""
    handicaps: tuple[int, ...] = (0,)
    """Handicaps in the solo game, each in an equal part of the games."""
    bots: tuple[str, ...] = ("greedy", "planner")
    """Opponent bots in multiplayer games; any names of `pocketmars_agents.make_agent`."""
    bot_share: float = 0.3
    """Share of the games in which a bot plays all seats but one; otherwise the learner plays all seats."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_tables(self.players, self.bots, accepts_solo=True)
        self._check("bot_share", 0 <= self.bot_share <= 1, "in 0..1")
        self._check("batch", self.batch >= 1, "at least 1")
        solo = training_of(self.spec).solo
        most = solo.max_handicap if solo else 0
        are_handicaps = bool(self.handicaps) and set(self.handicaps) <= set(range(most + 1))
        self._check("handicaps", are_handicaps, f"one or more in 0..{most}")
        is_used = is_solo(self.spec, self.players) or self.handicaps == (0,)
        self._check("handicaps", is_used, "0 alone: it is the solo game, --players 1, that has others")
        mlp_of(self.start, self.spec)


def mlp_of(start: Path, spec: GameSpec) -> Mlp:
    """The network of a policy to begin with.

    Raises:
        ValueError: if the policy is for another game, or its network is of another form.

    """
    policy = PolicyAgent(start)
    if policy.spec is not spec:
        raise ValueError(f"game must be that of the start, {policy.spec.name!r}, got {spec.name!r}")
    mlp = policy.mlp
    if mlp is None:
        raise ValueError(f"start must be a policy of one of the training scripts, got {str(start)!r}")
    return mlp


class FurtherRun(Run):
    """A run that begins with a policy.

    Args:
        settings: the settings of the run.

    Attributes:
        learner: the network that learns.

    """

    settings: FurtherSettings

    def __init__(self, settings: FurtherSettings) -> None:
        self._decisions = 0
        training = training_of(settings.spec)
        ladder, name = training.ladder(settings.players), "table"
        if training.solo and is_solo(settings.spec, settings.players):
            ladder, name = list(training.solo.ladder), "solo"
        super().__init__(settings, ladder, training.opponent_win_split, name)

    @property
    def decisions(self) -> int:
        return self._decisions

    @property
    def network(self) -> Network:
        return self.learner

    @property
    def optimizer(self) -> optim.Optimizer:
        return self._optimizer

    def build(self) -> None:
        self.start_card = PolicyAgent(self.settings.start).card
        torch.set_num_threads(self.settings.threads)
        self.learner = self.first_network(mlp_of(self.settings.start, self.settings.spec))
        self._optimizer = optim.Adam(self.learner.parameters(), lr=self.settings.learning_rate)

    def first_network(self, mlp: Mlp) -> Network:
        """What learns, as it is before it has learnt anything: it answers as the policy does.

        Args:
            mlp: the policy's network.

        """
        network = Network.of_mlp(mlp)
        network.add_rivals(self.settings.spec.max_seats - 1)
        return network

    def card(self, climbs: Any) -> dict[str, Any]:
        """How the policy came about: this run, and the one before it."""
        return super().card(climbs) | {"start": self.start_card}

    def to_keep(self) -> dict[str, Any]:
        """The network, and what it began as."""
        return {"policy": self.learner.state_dict(), "start": self.start_card}

    def restore(self, content: dict[str, Any]) -> None:
        self.learner.load_state_dict(content["policy"])
        self._decisions = content["decisions"]
        self.start_card = content["start"]  # the file may be another one by now

    # --- learning ---------------------------------------------------------------------------------

    def set_learning_rate(self) -> float:
        """Let it fall with the decisions; returns it."""
        left = max(0.0, 1 - self.decisions / self.settings.decisions)
        rate = self.settings.learning_rate * (LAST_RATE + (1 - LAST_RATE) * left)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        return rate

    def descend(self, loss: torch.Tensor, longest: float) -> None:
        """One step of the optimizer.

        Args:
            loss: to be made smaller.
            longest: the length to which the gradient is cut.

        Raises:
            ValueError: if the gradient is not finite; weights and optimizer are left as they are.

        """
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # of PyTorch
        length = torch.nn.utils.clip_grad_norm_(self.learner.parameters(), longest)
        if not length.isfinite():  # before the weights and the next checkpoint are spoilt
            raise ValueError(
                "the gradient is not finite; a lower learning_rate may keep the network from breaking"
            )
        self.optimizer.step()
