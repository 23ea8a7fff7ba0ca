"""The settings of a training on a Ray cluster."""

from dataclasses import dataclass

from pocketmars_training.common.settings import MAY_CHANGE, GameSettings


@dataclass(frozen=True, kw_only=True)
class ScaleOutSettings(GameSettings):
    """Train one agent for games of 2, 3 and 4 players on a Ray cluster.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    total_timesteps: int = 5_000_000
    """Total decisions of the learner in all its seats."""

    address: str | None = None
    """Address of a running Ray cluster: `host:6379` or `auto`; by default a local cluster is started."""
    env_runners: int = 2
    """Processes that play, with one CPU each; with 0 the driver plays."""
    envs_per_runner: int = 16
    """Games that each runner plays in parallel."""
    seconds_to_connect: float = 20.0
    """Timeout of the connection to the cluster, in seconds."""

    players: tuple[int, ...] = (2, 3, 4)
    """Player counts, equally likely in a new game; name one twice to double its probability."""
    bots: tuple[str, ...] = ("greedy", "planner")
    """Bots in the pool; any names of `pocketmars_agents.make_agent`."""
    present_share: float = 0.5
    """Share of the other seats played by the current policy, which also learns from them."""
    past_every: int = 500_000
    """Decisions between past selves added to the pool."""
    past_kept: int = 8
    """Past selves in the pool; a new one then replaces the oldest."""

    n_steps: int = 64
    """Decisions of the learner and past selves per game between updates."""
    batch_size: int = 512
    """Decisions per optimizer step, at most runners × games × n_steps."""
    n_epochs: int = 4
    """Passes over the decisions of an update."""
    learning_rate: float = 3e-4
    """Adam's learning rate."""
    gamma: float = 1.0
    """Discount per decision of a seat. 1 is right for most games: the only reward comes at the end."""
    gae_lambda: float = 0.95
    """λ of generalized advantage estimation."""
    clip_range: float = 0.2
    """PPO's clipping range of the probability ratio."""
    ent_coef: float = 0.01
    """Coefficient of the entropy bonus."""
    vf_coef: float = 0.5
    """Coefficient of the value loss."""
    max_grad_norm: float = 0.5
    """Maximum norm of the gradient; longer gradients are clipped."""
    net_arch: tuple[int, ...] = (256, 256)
    """Units of each hidden layer, shared by policy and value; all layers have the same width."""

    eval_freq: int = 500_000
    """Decisions between evaluations."""
    n_eval_episodes: int = 1_000
    """Games per evaluation and matchup, on deals that are not used for training."""
    save_freq: int = 250_000
    """Decisions between checkpoints."""
    threads: int = 1
    """PyTorch threads of the process that learns."""

    def __post_init__(self) -> None:
        self._check_ranges("at least 1", "total_timesteps", "envs_per_runner", "past_every", "past_kept")
        self._check_ranges("at least 1", "n_steps", "n_epochs", "threads")
        self._check_ranges("at least 1", "eval_freq", "n_eval_episodes", "save_freq")
        self._check_ranges("in 0..1", "present_share", "gamma", "gae_lambda", "clip_range")
        self._check_ranges("above 0", "seconds_to_connect", "learning_rate", "max_grad_norm")
        self._check_ranges("0 or more", "env_runners", "ent_coef", "vf_coef")
        self._check_ranges("in 0..2^32 - 1", "seed")
        self._check_net_arch(self.net_arch)
        is_right = 2 <= self.batch_size <= self.answers
        self._check("batch_size", is_right, f"in 2..{self.answers}, which is runners × games × n_steps")
        self._check_tables(self.players, self.bots)
        self._check("bots", len(set(self.bots)) == len(self.bots), "each once")

    @property
    def answers(self) -> int:
        """Decisions of the learner and past selves between updates."""
        return max(1, self.env_runners) * self.envs_per_runner * self.n_steps

    @property
    def may_change(self) -> tuple[str, ...]:
        """Settings that may change when a run is resumed, possibly on another cluster."""
        return (*MAY_CHANGE, "address", "env_runners", "envs_per_runner", "seconds_to_connect", "n_steps")
