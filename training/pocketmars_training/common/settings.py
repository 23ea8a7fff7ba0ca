"""Settings of the training scripts, named as in Stable-Baselines3 where it has the same setting."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, cast

import tyro

from pocketmars_agents import make_agent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_env.core.game_spec import GameSpec, default_game, game_named
from pocketmars_training.common.device import device_named
from pocketmars_training.common.training_spec import is_solo, training_of

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

    run: Path
    """The run's folder, for checkpoints, the TensorBoard log and the exported policy."""
    resume: Annotated[
        bool, tyro.conf.FlagConversionOff, tyro.conf.arg(metavar="RUN", help_behavior_hint="")
    ] = False
    """Resume a run from its last checkpoint. Use `--resume RUN` instead of `--run RUN`; settings that are not
    given are then read from the run."""
    trust: bool = False
    """With `--resume`: trust the bots named in the run's settings, that is, run their programs and modules,
    call their models and open their policies."""
    game: str = default_game().name
    """The game to train for: any registered game."""
    seed: Annotated[int, "in 0..2^32 - 1"] = 1
    """Seed of the training deals, the initial weights and all sampling in training; below 2^32."""
    total_timesteps: Count = 5_000_000
    """Total decisions in the learner's seats."""
    batch_size: Count = 2_048
    """Decisions per optimizer step."""
    learning_rate: Positive = 3e-4
    """Adam's initial learning rate; it decays to a tenth by the end."""
    max_grad_norm: Positive = 0.5
    """Maximum norm of the gradient; a gradient with a larger norm is scaled down to it."""
    eval_freq: Count = 500_000
    """Decisions between evaluations."""
    n_eval_episodes: Count = 1_000
    """Games per evaluation and matchup, on deals that are not used for training."""
    save_freq: Count = 250_000
    """Decisions between checkpoints."""
    threads: Count = 2
    """Threads for PyTorch and other parallel work."""
    device: str = "auto"
    """Device of the network: `auto`, `cpu`, `cuda`, `mps`, or a numbered one such as `cuda:1`. `auto` selects
    `cuda` if available, else `cpu`. Only `device-ppo` can play the games on a GPU; the other scripts play
    them on the CPU."""

    def __post_init__(self) -> None:
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
        return game_named(self.game)

    @classmethod
    def for_game(cls, game: str) -> type[Self]:
        """Return a subclass of the settings class with the defaults for a game."""
        return cls.with_defaults({**training_of(game_named(game)).defaults, "game": game})

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

    @classmethod
    def with_defaults(cls, defaults: Mapping[str, Any]) -> type[Self]:
        """Return a subclass with the given defaults; unknown and ``init=False`` settings are ignored."""
        fields = [
            (field.name, cast(Any, field.type), dataclasses.field(default=defaults[field.name]))
            for field in dataclasses.fields(cls)
            if field.init and field.name in defaults
        ]
        made = dataclasses.make_dataclass(cls.__name__, fields, bases=(cls,), frozen=True, kw_only=True)
        made.__doc__ = cls.__doc__
        return made

    def _check_players(self, players: tuple[int, ...], handicaps: tuple[int, ...] | None = None) -> None:
        """Check player counts and, in a script that also plays the solo game, handicaps."""
        counts, solo = self.spec.player_counts(), training_of(self.spec).solo
        *others, last = map(str, counts)
        accepted = f"one or more of {', '.join(others)} and {last}" if others else last
        is_right = len(players) > 0 and set(players) <= set(counts)
        if handicaps is not None and solo:
            accepted, is_right = f"1 alone, or {accepted}", is_right or players == (1,)
        self._check("players", is_right, accepted)
        if handicaps is not None:
            most = solo.max_handicap if solo else 0
            are_handicaps = bool(handicaps) and set(handicaps) <= set(range(most + 1))
            self._check("handicaps", are_handicaps, f"one or more in 0..{most}")
            is_used = is_solo(self.spec, players) or handicaps == (0,)
            self._check("handicaps", is_used, "0 alone; other handicaps require the solo game (--players 1)")
