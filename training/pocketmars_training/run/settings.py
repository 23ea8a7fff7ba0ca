"""What all training scripts have in common; each script adds its own."""

from dataclasses import dataclass
from pathlib import Path

from pocketmars_agents import make_agent
from pocketmars_env.core.game_spec import GameSpec, default_game

MOST_IMITATION = 2_000_000
"""They are kept in memory, at 3.5 KB each."""
GENERAL = ("decisions", "games", "ladder_every", "ladder_games", "checkpoint_every", "threads")
"""Settings that are counts, of every run on this machine."""
MAY_CHANGE = ("resume", "decisions", "ladder_every", "ladder_games", "checkpoint_every", "threads")
"""Settings that a resumed run may give anew."""


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """What every training run has, whatever trains it: every field is an option of the command line.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    run: Path
    """The run's folder: checkpoints, TensorBoard's log, the ladder and the exported policy."""
    resume: bool = False
    """Go on with the run of that folder, from its last checkpoint."""
    seed: int = 1
    """Decides the deals, the network's first weights and all choices; below 2^32."""
    decisions: int = 5_000_000
    """The learner's decisions in all, those of the imitation included."""

    @property
    def spec(self) -> GameSpec:
        """The game that is played."""
        return default_game()

    @property
    def may_change(self) -> tuple[str, ...]:
        """Settings that a resumed run may give anew."""
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
    """What every run on this machine has.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    games: int = 256
    """Games that are played side by side."""
    batch: int = 2_048
    """Decisions in a step of the optimizer."""
    learning_rate: float = 3e-4
    """Adam's, at the start, after an imitation; it falls to a tenth of that by the end."""

    ladder_every: int = 500_000
    """Decisions between two evaluations on the ladder."""
    ladder_games: int = 1_000
    """Games of each evaluation, on deals that are not learnt from."""
    checkpoint_every: int = 250_000
    """Decisions between two checkpoints."""
    threads: int = 2
    """Of PyTorch, and of what else can share its work out."""

    def __post_init__(self) -> None:
        for name in GENERAL:
            self._check(name, getattr(self, name) >= 1, "at least 1")
        self._check("seed", 0 <= self.seed < 2**32, "in 0..2^32 - 1")
        self._check("learning_rate", 0 < self.learning_rate < float("inf"), "above 0")

    def parts_of_games(self, number: int) -> list[int]:
        """How many of the games each of so many parts has: as equal as can be, the larger ones first."""
        return [self.games // number + (part < self.games % number) for part in range(number)]


@dataclass(frozen=True, kw_only=True)
class Settings(LocalSettings):
    """The settings of a training with Stable-Baselines3.

    Raises:
        ValueError: names the setting and what is accepted.

    """

    teacher: str = "planner"
    """The bot whose choices are imitated first; any name of `pocketmars_agents.make_agent`."""
    imitation: int = 1_000_000
    """Decisions of the imitation; at most `imitation_share` of all."""
    imitation_share: float = 0.75
    """The largest share of the decisions that the imitation takes."""
    teacher_moves: float = 0.3
    """Of the imitation's decisions so many are played as the teacher says, the rest as the learner would."""

    steps: int = 32
    """Decisions in each game between two updates; a batch is at most games × steps."""
    epochs: int = 2
    """How often an update goes over its decisions."""
    entropy: float = 0.003
    """Weight of the bonus for undecided policies."""
    clip: float = 0.2
    """PPO's clipping range."""
    gae: float = 0.95
    """λ of the generalized advantage estimation; rewards are not discounted."""
    width: int = 256
    """Units of a hidden layer."""
    layers: int = 2
    """Hidden layers."""

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
        """Decisions of the imitation: as many in each of the games."""
        most = min(self.imitation, int(self.imitation_share * self.decisions))
        return most // self.games * self.games
