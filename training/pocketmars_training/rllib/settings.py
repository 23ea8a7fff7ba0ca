"""The settings for training on a Ray cluster."""

from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Annotated

from pocketmars_env.core.game_spec import default_game
from pocketmars_env.core.settings import setting
from pocketmars_training.common.device import device_named
from pocketmars_training.common.settings import (
    FILES,
    GAMES,
    LEARNING,
    MAY_CHANGE,
    START,
    Agents,
    Coefficient,
    Count,
    NetArch,
    Positive,
    RunSettings,
    Seed,
    Share,
)

CLUSTER = "Cluster"


@dataclass(frozen=True, kw_only=True)
class ScaleOutSettings(RunSettings):
    """Train one agent for all player counts in `players` on a Ray cluster."""

    command = "pocketmars train rllib-self-play"
    may_change = (*MAY_CHANGE, "address", "env_runners", "envs_per_runner", "seconds_to_connect", "n_steps")

    run: Path = setting(MISSING, "Folder for checkpoints, log and policy", START)
    resume: bool = setting(False, "Folder of a run to resume", START)
    trust: bool = setting(False, "Trust the bots of a resumed run", FILES)
    game: str = setting(default_game().name, "The game to train for", START)
    seed: Seed = setting(1, "Seed of all random numbers", START)
    total_timesteps: Count = setting(5_000_000, "Total decisions of the learner in all its seats", START)
    players: tuple[int, ...] = setting((2, 3, 4), "Player counts", START)
    address: str | None = setting(None, "Address of a running Ray cluster, such as host:6379 or auto", START)

    env_runners: Annotated[int, "0 or more"] = setting(
        2, "Processes that play the games; with 0, the driver plays", CLUSTER
    )
    envs_per_runner: Count = setting(16, "Games that each runner plays in parallel", CLUSTER)
    seconds_to_connect: Positive = setting(20.0, "Timeout for connecting to the cluster, in seconds", CLUSTER)

    bots: Agents = setting(("greedy", "planner"), "Bots in the pool", GAMES)
    present_share: Share = setting(0.5, "Share of opponents' seats for the learner", GAMES)
    past_every: Count = setting(500_000, "Decisions between new past selves in the pool", GAMES)
    past_kept: Count = setting(8, "Maximum number of past selves in the pool", GAMES)

    net_arch: NetArch = setting((256, 256), "Units of each hidden layer", LEARNING)
    n_steps: Count = setting(64, "Decisions per game between updates, past selves included", LEARNING)
    n_epochs: Count = setting(4, "Passes over an update's decisions", LEARNING)
    batch_size: Count = setting(512, "Decisions per optimizer step", LEARNING)
    learning_rate: Positive = setting(3e-4, "Adam's learning rate", LEARNING)
    max_grad_norm: Positive = setting(0.5, "Maximum norm of the gradient", LEARNING)
    gamma: Share = setting(1.0, "Discount factor per decision of a seat", LEARNING)
    gae_lambda: Share = setting(0.95, "λ of generalized advantage estimation", LEARNING)
    clip_range: Share = setting(0.2, "PPO's clipping range", LEARNING)
    vf_coef: Coefficient = setting(0.5, "Coefficient of the value loss", LEARNING)
    ent_coef: Coefficient = setting(0.01, "Entropy coefficient", LEARNING)
    threads: Count = setting(1, "PyTorch threads of the process that trains the network", LEARNING)
    device: str = setting("auto", "Device: auto, cpu or cuda", LEARNING)

    eval_freq: Count = setting(500_000, "Decisions between evaluations", FILES)
    n_eval_episodes: Count = setting(1_000, "Games per evaluation and matchup", FILES)
    save_freq: Count = setting(250_000, "Decisions between checkpoints", FILES)

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
