"""Settings and helpers for training runs that take seconds."""

import contextlib
import errno
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from unittest.mock import Mock

import pytest

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from pocketmars_training.common import checkpoints
from pocketmars_training.common.export import export
from pocketmars_training.common.network import Network
from pocketmars_training.common.script import run_script
from pocketmars_training.expert_iteration import ExpertSettings
from pocketmars_training.ppo import PpoSettings
from tests.agents.mlps import random_mlp

if TYPE_CHECKING:
    from pocketmars_training.common.run import Run
    from pocketmars_training.common.settings import RunSettings

AnyRun = TypeVar("AnyRun", bound="Run")

TINY: dict[str, Any] = {
    "total_timesteps": 600,
    "imitation_timesteps": 200,
    "teacher": "greedy:1",
    "n_envs": 6,
    "train_freq": 48,
    "batch_size": 24,
    "net_arch": (16, 16),
    "eval_freq": 200,
    "n_eval_episodes": 4,
    "save_freq": 100,
    "threads": 1,
}
TINY_EXPERT: dict[str, Any] = {
    "total_timesteps": 300,
    "simulations": 6,
    "n_envs": 9,
    "batch_size": 16,
    "train_freq": 60,
    "buffer_size": 200,
    "bots": ("random", "greedy:1"),
    "eval_freq": 100,
    "n_eval_episodes": 4,
    "save_freq": 60,
    "threads": 1,
}
TINY_SELF_PLAY_PPO: dict[str, Any] = {
    "total_timesteps": 1_500,
    "n_envs": 12,
    "batch_size": 64,
    "train_freq": 400,
    "bots": ("random", "greedy:1"),
    "eval_freq": 600,
    "n_eval_episodes": 4,
    "save_freq": 400,
    "threads": 1,
}
TINY_DA_SEAT: dict[str, Any] = TINY_SELF_PLAY_PPO | {
    "total_timesteps": 200,
    "player": ("greedy:1", "random"),
    "eval_player": ("random", "greedy:1"),
    "handicaps": (0, 6),
    "train_freq": 64,
    "save_freq": 100,
}
del TINY_DA_SEAT["bots"]
TINY_DEVICE_PPO: dict[str, Any] = {
    "total_timesteps": 500,
    "n_envs": 12,
    "n_steps": 24,
    "batch_size": 64,
    "net_arch": (16, 16),
    "eval_freq": 300,
    "n_eval_episodes": 4,
    "save_freq": 200,
    "threads": 1,
    "device": "cpu",
}
TINY_RLLIB: dict[str, Any] = {
    "total_timesteps": 400,
    "players": (2, 3),
    "bots": ("greedy:1", "random"),
    "envs_per_runner": 3,
    "n_steps": 16,
    "batch_size": 24,
    "n_epochs": 1,
    "net_arch": (16, 16),
    "past_every": 100,
    "past_kept": 2,
    "eval_freq": 200,
    "n_eval_episodes": 4,
    "save_freq": 50,
}
BY_SCRIPT = {
    "expert_iteration": TINY_EXPERT,
    "self_play_ppo": TINY_SELF_PLAY_PPO,
    "da_seat": TINY_DA_SEAT,
    "device_ppo": TINY_DEVICE_PPO,
    "rllib_self_play": TINY_RLLIB,
}
"""The settings of the scripts that do not use `TINY`."""


def tiny(kind: type[Any], run: Path, **changes: Any) -> Any:
    """Return the settings of a tiny run with imitation."""
    return kind(run=run, **(TINY | changes))


def tiny_expert(run: Path, start: Path, **changes: Any) -> Any:
    """Return the settings of a tiny run of expert iteration."""
    return ExpertSettings(run=run, start=start, **(TINY_EXPERT | changes))


def tiny_self_play_ppo(run: Path, start: Path | None, **changes: Any) -> Any:
    """Return the settings of a tiny run of self-play PPO."""
    return PpoSettings(run=run, start=start, **(TINY_SELF_PLAY_PPO | changes))


def write_start(path: Path, spec: GameSpec = SPEC) -> Path:
    """Write an untrained initial policy to a file, and return the file's path."""
    export(Network.of_mlp(random_mlp(2, 12, spec=spec)), path, {"name": "begin", "decisions": 7}, spec)
    return path


def with_one_matchup(run: "AnyRun") -> "contextlib.closing[AnyRun]":
    """Restrict a run's evaluation to its first matchup, without baselines, and close the run at the end."""
    run.matchups, run.baselines = run.matchups[:1], []
    return contextlib.closing(run)


def no_space(*_: Any, **__: Any) -> None:
    """Raise the error of a full disk."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def newest(folder: Path) -> dict[str, Any]:
    """Return the contents of a run's newest checkpoint."""
    return checkpoints.read(checkpoints.kept(folder)[-1])


def options(script: str, run: Path, **changes: Any) -> list[str]:
    """Return the command-line options with which a script starts or resumes a tiny run."""
    is_resumed = changes.pop("resume", False)
    words = ["--resume" if is_resumed else "--run", str(run)]
    for name, value in (changes if is_resumed else BY_SCRIPT.get(script, TINY) | changes).items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:  # a flag has no value
            words += [str(one) for one in (value if isinstance(value, tuple) else (value,))]
    return words


def given(kind: "type[RunSettings]", *words: str) -> Any:
    """Return the settings that a script's command line gives."""
    new_run = Mock()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["train", *words])
        with pytest.raises(SystemExit) as exit:
            run_script(None, kind, new_run)
    if exit.value.code:
        raise exit.value
    return new_run.call_args.args[0]
