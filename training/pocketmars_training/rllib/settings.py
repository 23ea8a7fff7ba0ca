"""The settings of a training on a Ray cluster."""

from dataclasses import dataclass

from pocketmars_training.run.game_settings import GameSettings
from pocketmars_training.run.settings import MAY_CHANGE


@dataclass(frozen=True, kw_only=True)
class ScaleOutSettings(GameSettings):
    """Train one agent for games of 2, 3 and 4 players on a Ray cluster.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    decisions: int = 5_000_000
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

    steps: int = 64
    """Decisions of the learner and past selves per game between updates."""
    batch: int = 512
    """Decisions per optimizer step, at most runners × games × steps."""
    epochs: int = 4
    """Passes over the decisions of an update."""
    learning_rate: float = 3e-4
    """Adam's learning rate."""
    entropy: float = 0.01
    """Coefficient of the entropy bonus."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.95
    """λ of generalized advantage estimation; rewards are not discounted."""
    width: int = 256
    """Units per hidden layer."""
    layers: int = 2
    """Number of hidden layers."""

    ladder_every: int = 500_000
    """Decisions between evaluations on the ladder."""
    ladder_games: int = 1_000
    """Games per evaluation, on deals that are not used for training."""
    checkpoint_every: int = 250_000
    """Decisions between checkpoints."""
    threads: int = 1
    """PyTorch threads of the process that learns."""

    def __post_init__(self) -> None:
        at_least_one = ("decisions", "envs_per_runner", "past_every", "past_kept", "steps", "epochs", "width",
                        "layers", "ladder_every", "ladder_games", "checkpoint_every", "threads")  # fmt: skip
        for name in at_least_one:
            self._check(name, getattr(self, name) >= 1, "at least 1")
        for name in ("present_share", "clip", "gae"):
            self._check(name, 0 <= getattr(self, name) <= 1, "in 0..1")
        for name in ("seconds_to_connect", "learning_rate"):
            self._check(name, 0 < getattr(self, name) < float("inf"), "above 0")
        self._check("env_runners", self.env_runners >= 0, "0 or more")
        self._check("seed", 0 <= self.seed < 2**32, "in 0..2^32 - 1")
        self._check("entropy", 0 <= self.entropy < float("inf"), "0 or more")
        is_right = 2 <= self.batch <= self.answers
        self._check("batch", is_right, f"in 2..{self.answers}, which is runners × games × steps")
        self._check_tables(self.players, self.bots)
        self._check("bots", len(set(self.bots)) == len(self.bots), "each once")

    @property
    def answers(self) -> int:
        """Decisions of the learner and past selves between updates."""
        return max(1, self.env_runners) * self.envs_per_runner * self.steps

    @property
    def may_change(self) -> tuple[str, ...]:
        """Settings that may change when a run is resumed, possibly on another cluster."""
        return (*MAY_CHANGE, "address", "env_runners", "envs_per_runner", "seconds_to_connect", "steps")
