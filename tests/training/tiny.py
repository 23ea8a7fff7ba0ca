"""Trainings that take seconds."""

from pathlib import Path
from typing import Any, TypeVar

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.run.settings import Settings
from tests.agents.mlps import random_mlp

OneSettings = TypeVar("OneSettings", bound=Settings)

TINY: dict[str, Any] = {
    "decisions": 600,
    "imitation": 200,
    "teacher": "greedy:1",
    "games": 6,
    "steps": 8,
    "batch": 24,
    "width": 16,
    "ladder_every": 200,
    "ladder_games": 4,
    "checkpoint_every": 100,
    "threads": 1,
}


def tiny(kind: type[OneSettings], run: Path, **changes: Any) -> OneSettings:
    """The settings of a tiny run."""
    return kind(run=run, **(TINY | changes))


TINY_EXPERT: dict[str, Any] = {
    "decisions": 300,
    "simulations": 6,
    "games": 9,
    "batch": 16,
    "update": 60,
    "window": 200,
    "bots": ("random", "greedy:1"),
    "ladder_every": 100,
    "ladder_games": 4,
    "checkpoint_every": 60,
    "threads": 1,
}


def tiny_expert(run: Path, start: Path, **changes: Any) -> Any:
    """The settings of a tiny run of expert iteration; it needs PyTorch."""
    from pocketmars_training.expert_iteration import ExpertSettings

    return ExpertSettings(run=run, start=start, **(TINY_EXPERT | changes))


TINY_ALL_SEATS: dict[str, Any] = {
    "decisions": 1_500,
    "games": 12,
    "batch": 64,
    "update": 400,
    "bots": ("random", "greedy:1"),
    "ladder_every": 600,
    "ladder_games": 4,
    "checkpoint_every": 400,
    "threads": 1,
}


def tiny_all_seats(run: Path, start: Path, **changes: Any) -> Any:
    """The settings of a tiny run that learns from all seats; it needs PyTorch."""
    from pocketmars_training.all_seats import AllSeatsSettings

    return AllSeatsSettings(run=run, start=start, **(TINY_ALL_SEATS | changes))


def write_start(path: Path, spec: GameSpec = SPEC) -> Path:
    """A policy file with a network that knows nothing, for a training to begin with."""
    from pocketmars_training.model.export import export
    from pocketmars_training.model.network import Network

    export(Network.of_mlp(random_mlp(2, 12, spec=spec)), path, {"name": "begin", "decisions": 7}, spec)
    return path


def options(script: str, run: Path, **changes: Any) -> list[str]:
    """The settings of a tiny run for a script's command line."""
    words = ["--run", str(run)]
    settings = {"expert_iteration": TINY_EXPERT, "all_seats": TINY_ALL_SEATS}.get(script, TINY)
    for name, value in (settings | changes).items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:  # a flag is its own value
            words += [str(one) for one in (value if isinstance(value, tuple) else (value,))]
    return words
