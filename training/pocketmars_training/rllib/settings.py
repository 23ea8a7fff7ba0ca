"""The settings for training on a Ray cluster."""

from dataclasses import dataclass
from typing import Annotated

from pocketmars_training.common.device import device_named
from pocketmars_training.common.settings import (
    MAY_CHANGE,
    Agents,
    Coefficient,
    Count,
    NetArch,
    Positive,
    RunSettings,
    Share,
)


@dataclass(frozen=True, kw_only=True)
class ScaleOutSettings(RunSettings):
    """Train one agent for all player counts in `players` on a Ray cluster."""

    may_change = (*MAY_CHANGE, "address", "env_runners", "envs_per_runner", "seconds_to_connect", "n_steps")

    total_timesteps: Count = 5_000_000
    """Total decisions of the learner in all its seats."""

    address: str | None = None
    """Address of a running Ray cluster: `host:6379` or `auto`; by default a local cluster is started."""
    env_runners: Annotated[int, "0 or more"] = 2
    """Processes that play the games, with one CPU each; with 0, the driver process plays them."""
    envs_per_runner: Count = 16
    """Games that each runner plays in parallel."""
    seconds_to_connect: Positive = 20.0
    """Timeout for connecting to the cluster, in seconds."""

    players: tuple[int, ...] = (2, 3, 4)
    """Player counts, equally likely in a new game; a count given twice is twice as likely."""
    bots: Agents = ("greedy", "planner")
    """Bots in the pool; any names that `pocketmars_agents.make_agent` accepts."""
    present_share: Share = 0.5
    """Share of the opponents' seats played by the current policy, which also learns from these seats."""
    past_every: Count = 500_000
    """Number of decisions after which another copy of the current policy joins the pool as a past self."""
    past_kept: Count = 8
    """Maximum number of past selves in the pool; when it is full, a new one replaces the oldest."""

    n_steps: Count = 64
    """Decisions between updates for each parallel game, those of the learner and its past selves together."""
    batch_size: Count = 512
    """Decisions per optimizer step; at most runners × games per runner × n_steps."""
    n_epochs: Count = 4
    """Passes over the decisions of an update."""
    learning_rate: Positive = 3e-4
    """Adam's learning rate."""
    gamma: Share = 1.0
    """Discount factor per decision of a seat. The default, 1, suits games whose only reward comes at the
    end."""
    gae_lambda: Share = 0.95
    """λ of generalized advantage estimation."""
    clip_range: Share = 0.2
    """PPO's clipping range for the probability ratio."""
    ent_coef: Coefficient = 0.01
    """Coefficient of the entropy bonus."""
    vf_coef: Coefficient = 0.5
    """Coefficient of the value loss."""
    net_arch: NetArch = (256, 256)
    """Units of each hidden layer; the numbers must be equal. Policy and value share these layers."""

    threads: Count = 1
    """PyTorch threads of the process that trains the network."""
    device: str = "auto"
    """Device of the network: `auto`, `cpu` or `cuda`. `auto` selects `cuda` if available, else `cpu`. RLlib
    chooses which GPU is used."""

    def __post_init__(self) -> None:
        super().__post_init__()
        is_right = 2 <= self.batch_size <= self.update_size
        self._check(
            "batch_size", is_right, f"in 2..{self.update_size}, which is runners × games per runner × n_steps"
        )
        self._check_players(self.players)
        device = device_named(self.device)
        is_right = device.type in ("cpu", "cuda") and device.index is None
        self._check("device", is_right, "auto, cpu or cuda")
        self._check("bots", len(set(self.bots)) == len(self.bots), "all different")

    @property
    def update_size(self) -> int:
        """Minimum number of decisions of the learner and past selves, in all games, between two updates."""
        return max(1, self.env_runners) * self.envs_per_runner * self.n_steps
