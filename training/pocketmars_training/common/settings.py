"""Settings of the training scripts, named as in Stable-Baselines3 where it has the same setting."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Self

from pocketmars_agents import make_agent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_env.core.settings import check_choices, setting
from pocketmars_training.common.device import device_named
from pocketmars_training.common.training_spec import training_of

START, GAMES, LEARNING, IMITATION, FILES = (
    "Start here",
    "Games and opponents",
    "Learning",
    "Imitation",
    "Evaluation and files",
)
"""The groups of settings in a script's help."""
FINAL_RATE = 0.1
"""The final learning rate, as a share of the initial learning rate."""
MAX_IMITATION = 2_000_000
"""Maximum number of imitation decisions; each takes 2.2 KB of memory in Pocket Mars."""
MAX_WIDTH = 16_384
"""Maximum width of a network's layers; the weights between two such layers take 1 GB of memory."""
LAYERS = f"one or more layers of the same width, at most {MAX_WIDTH}"
MAY_CHANGE: tuple[str, ...] = (
    "total_timesteps",
    "eval_freq",
    "n_eval_episodes",
    "save_freq",
    "threads",
    "device",
)


def split(count: int, parts: int) -> list[int]:
    """Split `count` into `parts` nearly equal integers, larger ones first."""
    return [count // parts + (part < count % parts) for part in range(parts)]


ACCEPTED: dict[str, Callable[[Any], object]] = {
    "in 1..2^53": lambda value: 1 <= value <= 2**53,
    "in 0..1": lambda value: 0 <= value <= 1,
    "above 0": lambda value: 0 < value < float("inf"),
    "0 or more": lambda value: 0 <= value < float("inf"),
    "in 0..2^32 - 1": lambda value: 0 <= value < 2**32,
    LAYERS: lambda value: len(set(value)) == 1 and 1 <= value[0] <= MAX_WIDTH,
    "an agent": lambda name: name and make_agent(name),
    "at least one agent": lambda names: names and all(map(make_agent, names)),
    "agents": lambda names: all(map(make_agent, names)),
}
"""Functions that check the values of settings. Each key describes the accepted values and is used as the
metadata of `Annotated` types. A function returns a true value if it accepts the setting. For an unknown
agent, `make_agent` raises a ValueError."""

NAME_CHECKS = {"an agent", "at least one agent", "agents"}

Count = Annotated[int, "in 1..2^53"]
Share = Annotated[float, "in 0..1"]
Positive = Annotated[float, "above 0"]
Coefficient = Annotated[float, "0 or more"]
NetArch = Annotated[tuple[int, ...], LAYERS]
AgentName = Annotated[str, "an agent"]
Agents = Annotated[tuple[str, ...], "at least one agent"]
AnyAgents = Annotated[tuple[str, ...], "agents"]


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings of every training run; each field is a command-line option.

    Attributes:
        may_change: the names of the settings that may change when a run is resumed.

    Raises:
        ValueError: if a value is invalid; the message names the setting and its accepted values or, for an
            agent or a device, the unknown or unavailable name.

    """

    may_change = MAY_CHANGE

    run: Path = setting(MISSING, "Folder for checkpoints, log and policy", START)
    resume: bool = setting(False, "Folder of a run to resume", START)
    trust: bool = setting(False, "Trust the bots of a resumed run", FILES)
    seed: Annotated[int, "in 0..2^32 - 1"] = setting(1, "Seed of all random numbers", START)
    total_timesteps: Count = setting(5_000_000, "Total decisions of the learner", START)
    max_grad_norm: Positive = setting(0.5, "Maximum norm of the gradient", LEARNING)
    eval_freq: Count = setting(500_000, "Decisions between evaluations", FILES)
    n_eval_episodes: Count = setting(1_000, "Games per evaluation and matchup", FILES)
    save_freq: Count = setting(250_000, "Decisions between checkpoints", FILES)
    device: str = setting("auto", "Device: auto, cpu, cuda, cuda:1 or mps", LEARNING)

    def __post_init__(self) -> None:
        check_choices(self)
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            for accepted in getattr(field.type, "__metadata__", ()):
                if accepted in ACCEPTED:
                    self._check(field.name, value is None or bool(ACCEPTED[accepted](value)), accepted)
        device_named(self.device)
        for name in self.agents_in(vars(self)):
            agent = make_agent(name)
            if isinstance(agent, PolicyAgent):
                check_game(name, agent.spec, self.spec)

    @property
    def spec(self) -> GameSpec:
        """The game to train for."""
        return default_game()

    @classmethod
    def agents_in(cls, values: Mapping[str, Any]) -> list[Any]:
        """Return all agent names in `values`, which maps setting names to possibly invalid values."""
        names: list[Any] = []
        for field in dataclasses.fields(cls):
            if field.init and NAME_CHECKS & set(getattr(field.type, "__metadata__", ())):
                value = values.get(field.name, ())
                names += value if isinstance(value, (list, tuple)) else [value]
        return names

    def _check(self, name: str, is_right: bool, accepted: str) -> None:
        if not is_right:
            raise ValueError(f"{name} must be {accepted}, got {getattr(self, name)}")


@dataclass(frozen=True, kw_only=True)
class GameSettings(RunSettings):
    """Settings of the scripts that can train for any registered game."""

    game: str = setting(default_game().name, "The game to train for", START)

    @property
    def spec(self) -> GameSpec:
        return game_named(self.game)

    @classmethod
    def for_game(cls, game: str) -> Callable[..., Self]:
        """Return a constructor with the defaults for a game."""
        return partial(cls, game=game, **training_of(game_named(game)).defaults)

    def _check_players(self, players: tuple[int, ...], accepts_solo: bool = False) -> None:
        counts = self.spec.player_counts()
        *others, last = map(str, counts)
        accepted = f"one or more of {', '.join(others)} and {last}" if others else last
        is_right = len(players) > 0 and set(players) <= set(counts)
        if accepts_solo and training_of(self.spec).solo:
            accepted, is_right = f"1 alone, or {accepted}", is_right or players == (1,)
        self._check("players", is_right, accepted)


@dataclass(frozen=True, kw_only=True)
class LocalSettings(RunSettings):
    """Settings of every run that uses a single machine."""

    n_envs: Count = setting(256, "Games played in parallel", GAMES)
    batch_size: Count = setting(2_048, "Decisions per optimizer step", LEARNING)
    learning_rate: Positive = setting(3e-4, "Adam's initial learning rate", LEARNING)
    vf_coef: Coefficient = setting(0.5, "Coefficient of the value losses", LEARNING)
    threads: Count = setting(2, "Threads for parallel work", LEARNING)

    def split_envs(self, parts: int) -> list[int]:
        """Split `n_envs` into nearly equal numbers of games, larger ones first."""
        return split(self.n_envs, parts)


@dataclass(frozen=True, kw_only=True)
class PpoSettings(RunSettings):
    """Settings of PPO."""

    n_epochs: Count = setting(2, "Passes over an update's decisions", LEARNING)
    gamma: Share = setting(1.0, "Discount factor per decision of a seat", LEARNING)
    gae_lambda: Share = setting(0.95, "λ of generalized advantage estimation", LEARNING)
    clip_range: Share = setting(0.2, "PPO's clipping range", LEARNING)
    ent_coef: Coefficient = setting(0.003, "Entropy coefficient", LEARNING)


@dataclass(frozen=True, kw_only=True)
class MaskablePpoSettings(PpoSettings, LocalSettings):
    """Settings of training with sb3-contrib's MaskablePPO after imitation of a bot."""

    target_kl: Annotated[float | None, "above 0"] = setting(
        None, "Stop an update at 1.5 × this KL divergence", LEARNING
    )
    n_steps: Count = setting(32, "Decisions per game between updates", LEARNING)
    net_arch: NetArch = setting((256, 256), "Units of each hidden layer", LEARNING)

    teacher: AgentName = setting("planner", "The bot to imitate before PPO", START)
    imitation_timesteps: int = setting(1_000_000, "Decisions spent on imitation", IMITATION)
    imitation_share: Share = setting(0.75, "Maximum share of all decisions", IMITATION)
    teacher_moves: Share = setting(0.3, "The teacher's share after round 1", IMITATION)

    def __post_init__(self) -> None:
        super().__post_init__()
        is_right = 0 <= self.imitation_timesteps <= MAX_IMITATION
        self._check("imitation_timesteps", is_right, f"in 0..{MAX_IMITATION}")
        update = self.n_envs * self.n_steps
        self._check(
            "batch_size", 2 <= self.batch_size <= update, f"in 2..{update}, which is n_envs × n_steps"
        )
        # PPO divides by the standard deviation of a batch's advantages, which is NaN for a single decision.
        is_right = update % self.batch_size != 1
        self._check("batch_size", is_right, f"such that {update} modulo batch_size is not 1")

    @property
    def imitation_decisions(self) -> int:
        """The number of imitation decisions, rounded down to a multiple of `n_envs`."""
        most = min(self.imitation_timesteps, int(self.imitation_share * self.total_timesteps))
        return most // self.n_envs * self.n_envs
