"""Settings shared by the training scripts; their names are those of Stable-Baselines3."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, cast

from pocketmars_agents import make_agent
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_training.common.training_spec import player_counts, training_of

FINAL_RATE = 0.1
"""Final learning rate as a share of the initial one."""
MAX_IMITATION = 2_000_000
"""Imitation decisions are kept in memory, at 3.5 KB each."""
MAY_CHANGE = ("resume", "total_timesteps", "eval_freq", "n_eval_episodes", "save_freq", "threads")
"""Settings that may change when a run is resumed."""
RANGES: dict[str, Callable[[Any], bool]] = {
    "at least 1": lambda value: value >= 1,
    "in 0..1": lambda value: 0 <= value <= 1,
    "above 0": lambda value: 0 < value < float("inf"),
    "0 or more": lambda value: 0 <= value < float("inf"),
    "in 0..2^32 - 1": lambda value: 0 <= value < 2**32,
}


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of every training run; each field is a command-line option.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    run: Path
    """The run's folder: checkpoints, TensorBoard log and the exported policy."""
    resume: bool = False
    """Resume the run in that folder from its last checkpoint."""
    seed: int = 1
    """Seed of the deals, the initial weights and all sampling; below 2^32."""
    total_timesteps: int = 5_000_000
    """Total decisions of the learner, including imitation."""

    @property
    def spec(self) -> GameSpec:
        """The game to train for."""
        return default_game()

    @property
    def may_change(self) -> tuple[str, ...]:
        """Settings that may change when a run is resumed."""
        return MAY_CHANGE

    def _check_agents(self, name: str, agents: tuple[str, ...]) -> None:
        self._check(name, len(agents) > 0, "at least one agent")
        for agent in agents:
            make_agent(agent)  # raises a ValueError for an unknown name

    def _check_net_arch(self, net_arch: tuple[int, ...]) -> None:
        is_right = len(set(net_arch)) == 1 and net_arch[0] >= 1
        self._check("net_arch", is_right, "one or more layers of the same width")

    def _check_ranges(self, accepted: str, *names: str) -> None:
        for name in names:
            self._check(name, RANGES[accepted](getattr(self, name)), accepted)

    def _check(self, name: str, is_right: bool, accepted: str) -> None:
        if not is_right:
            raise ValueError(f"{name} must be {accepted}, got {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class GameSettings(RunSettings):
    """Settings of the scripts that train for any game."""

    game: str = default_game().name
    """The game to train for; any registered one."""

    @property
    def spec(self) -> GameSpec:
        return game_named(self.game)

    @classmethod
    def for_game(cls, game: str) -> type[Self]:
        """Return the settings class with the defaults of a game.

        Raises:
            ValueError: for an unknown game; names the registered ones.

        """
        defaults: dict[str, Any] = {**training_of(game_named(game)).defaults, "game": game}
        fields = [
            (field.name, cast(Any, field.type), dataclasses.field(default=defaults[field.name]))
            for field in dataclasses.fields(cls)
            if field.name in defaults
        ]
        made = dataclasses.make_dataclass(cls.__name__, fields, bases=(cls,), frozen=True, kw_only=True)
        made.__doc__ = cls.__doc__
        return made

    def _check_tables(
        self, players: tuple[int, ...], bots: tuple[str, ...], accepts_solo: bool = False
    ) -> None:
        counts = player_counts(self.spec)
        *others, last = map(str, counts)
        accepted = f"some of {', '.join(others)} and {last}" if others else last
        is_right = len(players) > 0 and set(players) <= set(counts)
        if accepts_solo and training_of(self.spec).solo:
            accepted, is_right = f"1 alone, or {accepted}", is_right or players == (1,)
        self._check("players", is_right, accepted)
        self._check_agents("bots", bots)


@dataclass(frozen=True, kw_only=True)
class LocalSettings(RunSettings):
    """Settings of every run on one machine."""

    n_envs: int = 256
    """Games played in parallel."""
    batch_size: int = 2_048
    """Decisions per optimizer step."""
    learning_rate: float = 3e-4
    """Adam's initial learning rate after imitation; it decays to a tenth by the end."""
    vf_coef: float = 0.5
    """Coefficient of the value loss."""
    max_grad_norm: float = 0.5
    """Maximum norm of the gradient; longer gradients are clipped."""

    eval_freq: int = 500_000
    """Decisions between evaluations."""
    n_eval_episodes: int = 1_000
    """Games per evaluation and matchup, on deals that are not used for training."""
    save_freq: int = 250_000
    """Decisions between checkpoints."""
    threads: int = 2
    """Threads for PyTorch and other parallel work."""

    def __post_init__(self) -> None:
        self._check_ranges("at least 1", "total_timesteps", "n_envs", "batch_size")
        self._check_ranges("at least 1", "eval_freq", "n_eval_episodes", "save_freq", "threads")
        self._check_ranges("in 0..2^32 - 1", "seed")
        self._check_ranges("above 0", "learning_rate", "max_grad_norm")
        self._check_ranges("0 or more", "vf_coef")

    def split_envs(self, parts: int) -> list[int]:
        """Split the games into nearly equal parts, the larger ones first."""
        return [self.n_envs // parts + (part < self.n_envs % parts) for part in range(parts)]


@dataclass(frozen=True, kw_only=True)
class PpoSettings(LocalSettings):
    """Settings of PPO."""

    n_epochs: int = 2
    """Passes over the decisions of an update."""
    gamma: float = 1.0
    """Discount per decision of a seat. 1 is right for most games: the only reward comes at the end."""
    gae_lambda: float = 0.95
    """λ of generalized advantage estimation."""
    clip_range: float = 0.2
    """PPO's clipping range of the probability ratio."""
    ent_coef: float = 0.003
    """Coefficient of the entropy bonus."""
    target_kl: float | None = None
    """Stop an update when its KL divergence exceeds 1.5 times this value; no limit by default."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_ranges("at least 1", "n_epochs")
        self._check_ranges("in 0..1", "gamma", "gae_lambda", "clip_range")
        self._check_ranges("0 or more", "ent_coef")
        if self.target_kl is not None:
            self._check_ranges("above 0", "target_kl")


@dataclass(frozen=True, kw_only=True)
class MaskablePpoSettings(PpoSettings):
    """Settings of training with Stable-Baselines3's MaskablePPO after imitation of a bot."""

    n_steps: int = 32
    """Decisions per game between updates; `batch_size` is at most n_envs × n_steps."""
    net_arch: tuple[int, ...] = (256, 256)
    """Units of each hidden layer, shared by policy and value; all layers have the same width."""

    teacher: str = "planner"
    """The bot to imitate first; any name of `pocketmars_agents.make_agent`."""
    imitation_timesteps: int = 1_000_000
    """Decisions of the imitation; at most `imitation_share` of the total."""
    imitation_share: float = 0.75
    """Largest share of all decisions spent on imitation."""
    teacher_moves: float = 0.3
    """Share of the imitation's decisions that the teacher plays; the learner plays the rest."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_ranges("at least 1", "n_steps")
        self._check_ranges("in 0..1", "imitation_share", "teacher_moves")
        self._check_net_arch(self.net_arch)
        is_right = 0 <= self.imitation_timesteps <= MAX_IMITATION
        self._check("imitation_timesteps", is_right, f"in 0..{MAX_IMITATION}")
        update = self.n_envs * self.n_steps
        self._check(
            "batch_size", 2 <= self.batch_size <= update, f"in 2..{update}, which is n_envs × n_steps"
        )
        # PPO divides by the standard deviation of the advantages in a batch
        is_right = update % self.batch_size != 1
        self._check("batch_size", is_right, f"such that not 1 of {update} decisions is left over")
        make_agent(self.teacher)  # raises a ValueError for an unknown name

    @property
    def imitation_decisions(self) -> int:
        """Decisions of the imitation, the same number in each game."""
        most = min(self.imitation_timesteps, int(self.imitation_share * self.total_timesteps))
        return most // self.n_envs * self.n_envs
