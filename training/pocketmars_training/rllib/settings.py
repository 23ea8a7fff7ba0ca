"""The settings of a training on a Ray cluster."""

from dataclasses import dataclass

from pocketmars_training.run.game_settings import GameSettings
from pocketmars_training.run.settings import MAY_CHANGE


@dataclass(frozen=True, kw_only=True)
class ScaleOutSettings(GameSettings):
    """Train one agent for the tables of 2, 3 and 4 players on a Ray cluster.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    decisions: int = 5_000_000
    """The learner's decisions in all, in all its seats."""

    address: str | None = None
    """A Ray cluster that runs already: `host:6379`, or `auto`; by default one of this machine alone."""
    env_runners: int = 2
    """Processes of the cluster that play, a CPU each; 0: this process plays."""
    envs_per_runner: int = 16
    """Games that each of them plays side by side."""
    seconds_to_connect: float = 20.0
    """How long the cluster may take to answer."""

    players: tuple[int, ...] = (2, 3, 4)
    """Player counts, each equally likely in a new game; one that is named twice twice as likely."""
    bots: tuple[str, ...] = ("greedy", "planner")
    """Bots of the pool; any names of `pocketmars_agents.make_agent`."""
    present_share: float = 0.5
    """The share of the other seats that the learner's present self gets, which learns there too."""
    past_every: int = 500_000
    """Decisions after which the pool gets another past self."""
    past_kept: int = 8
    """Past selves in the pool; then a new one takes the oldest one's place."""

    steps: int = 64
    """Answers of learner and past selves in each game between two updates."""
    batch: int = 512
    """Decisions in a step of the optimizer, at most runners × games × steps."""
    epochs: int = 4
    """How often an update goes over its decisions."""
    learning_rate: float = 3e-4
    """Adam's."""
    entropy: float = 0.01
    """Weight of the bonus for undecided policies."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.95
    """λ of the generalized advantage estimation; rewards are not discounted."""
    width: int = 256
    """Units of a hidden layer."""
    layers: int = 2
    """Hidden layers."""

    ladder_every: int = 500_000
    """Decisions between two evaluations on the ladder."""
    ladder_games: int = 1_000
    """Games of each evaluation, on deals that are not learnt from."""
    checkpoint_every: int = 250_000
    """Decisions between two checkpoints."""
    threads: int = 1
    """Of PyTorch, where the network learns."""

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
        """Answers of learner and past selves between two updates."""
        return max(1, self.env_runners) * self.envs_per_runner * self.steps

    @property
    def may_change(self) -> tuple[str, ...]:
        """Settings that a resumed run may give anew: the cluster may be another one."""
        return (*MAY_CHANGE, "address", "env_runners", "envs_per_runner", "seconds_to_connect", "steps")
