"""Settings shared by all training scripts."""

from dataclasses import dataclass
from pathlib import Path

from pocketmars_agents import make_agent
from pocketmars_env.core.game_spec import GameSpec, default_game

MOST_IMITATION = 2_000_000
"""Imitation decisions are kept in memory, at 3.5 KB each."""
GENERAL = ("decisions", "games", "ladder_every", "ladder_games", "checkpoint_every", "threads")
"""Count settings of every local run."""
MAY_CHANGE = ("resume", "decisions", "ladder_every", "ladder_games", "checkpoint_every", "threads")
"""Settings that may change when a run is resumed."""


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of every training run; each field is a command-line option.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    run: Path
    """The run's folder: checkpoints, TensorBoard's log, the ladder and the exported policy."""
    resume: bool = False
    """Resume the run in that folder from its last checkpoint."""
    seed: int = 1
    """Seed of the deals, the initial weights and all sampling; below 2^32."""
    decisions: int = 5_000_000
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
            make_agent(agent)  # raises a ValueError if there is none of that name

    def _check(self, name: str, is_right: bool, accepted: str) -> None:
        if not is_right:
            raise ValueError(f"{name} must be {accepted}, got {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class LocalSettings(RunSettings):
    """Settings of every local run.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    games: int = 256
    """Games played in parallel."""
    batch: int = 2_048
    """Decisions per optimizer step."""
    learning_rate: float = 3e-4
    """Adam's initial learning rate after imitation; it decays to a tenth by the end."""

    ladder_every: int = 500_000
    """Decisions between evaluations on the ladder."""
    ladder_games: int = 1_000
    """Games per evaluation, on deals that are not used for training."""
    checkpoint_every: int = 250_000
    """Decisions between checkpoints."""
    threads: int = 2
    """Threads for PyTorch and other parallel work."""

    def __post_init__(self) -> None:
        for name in GENERAL:
            self._check(name, getattr(self, name) >= 1, "at least 1")
        self._check("seed", 0 <= self.seed < 2**32, "in 0..2^32 - 1")
        self._check("learning_rate", 0 < self.learning_rate < float("inf"), "above 0")

    def parts_of_games(self, number: int) -> list[int]:
        """Splits the games into nearly equal parts, the larger ones first."""
        return [self.games // number + (part < self.games % number) for part in range(number)]


@dataclass(frozen=True, kw_only=True)
class Settings(LocalSettings):
    """Settings of training with Stable-Baselines3.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    teacher: str = "planner"
    """The bot to imitate first; any name of `pocketmars_agents.make_agent`."""
    imitation: int = 1_000_000
    """Decisions of the imitation; at most `imitation_share` of the total."""
    imitation_share: float = 0.75
    """Largest share of all decisions spent on imitation."""
    teacher_moves: float = 0.3
    """Share of the imitation's decisions that the teacher plays; the learner plays the rest."""

    steps: int = 32
    """Decisions per game between updates; a batch is at most games × steps."""
    epochs: int = 2
    """Passes over the decisions of an update."""
    entropy: float = 0.003
    """Coefficient of the entropy bonus."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.95
    """λ of generalized advantage estimation; rewards are not discounted."""
    width: int = 256
    """Units per hidden layer."""
    layers: int = 2
    """Number of hidden layers."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_ranges()
        self._check_batch()
        make_agent(self.teacher)  # raises a ValueError if there is none of that name

    def _check_ranges(self) -> None:
        for name in ("steps", "epochs", "width", "layers"):
            self._check(name, getattr(self, name) >= 1, "at least 1")
        for name in ("imitation_share", "teacher_moves", "clip", "gae"):
            self._check(name, 0 <= getattr(self, name) <= 1, "in 0..1")
        self._check("imitation", 0 <= self.imitation <= MOST_IMITATION, f"in 0..{MOST_IMITATION}")
        self._check("entropy", 0 <= self.entropy < float("inf"), "0 or more")

    def _check_batch(self) -> None:
        update = self.games * self.steps
        self._check("batch", 2 <= self.batch <= update, f"in 2..{update}, which is games × steps")
        # PPO divides by the standard deviation of a batch
        self._check("batch", update % self.batch != 1, f"such that not 1 of {update} decisions is left over")

    @property
    def imitation_decisions(self) -> int:
        """Decisions of the imitation, the same number in each game."""
        most = min(self.imitation, int(self.imitation_share * self.decisions))
        return most // self.games * self.games
