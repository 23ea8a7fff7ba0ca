"""Settings of the training scripts, named as in Stable-Baselines3 where it has the same setting."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self

from pocketmars_agents import make_agent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game
from pocketmars_env.core.game_spec import GameSpec, game_named
from pocketmars_env.core.settings import check_choices
from pocketmars_training.common.device import device_named
from pocketmars_training.common.training_spec import is_solo, training_of

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
Seed = Annotated[int, "in 0..2^32 - 1"]
Share = Annotated[float, "in 0..1"]
Positive = Annotated[float, "above 0"]
Coefficient = Annotated[float, "0 or more"]
NetArch = Annotated[tuple[int, ...], LAYERS]
AgentName = Annotated[str, "an agent"]
Agents = Annotated[tuple[str, ...], "at least one agent"]
AnyAgents = Annotated[tuple[str, ...], "agents"]


@dataclass(frozen=True, kw_only=True)
class RunSettings:
    """Settings that every training run has; the class of a script declares all its settings and defaults."""

    command: ClassVar[str]
    """The command of the script; a run is resumed with the command that started it."""
    may_change = MAY_CHANGE
    """The names of the settings that may change when a run is resumed."""

    run: Path
    resume: bool
    trust: bool
    game: str
    seed: int
    total_timesteps: int
    eval_freq: int
    n_eval_episodes: int
    save_freq: int
    threads: int
    device: str

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
        return game_named(self.game)

    @classmethod
    def for_game(cls, game: str) -> Callable[..., Self]:
        """Return a constructor with the defaults for a game."""
        return partial(cls, game=game, **training_of(game_named(game)).defaults)

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
