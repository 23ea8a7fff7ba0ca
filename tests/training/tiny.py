"""Trainings that take seconds."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.mlps import random_mlp

if TYPE_CHECKING:
    from pocketmars_training.common.settings import MaskablePpoSettings

AnySettings = TypeVar("AnySettings", bound="MaskablePpoSettings")

TINY: dict[str, Any] = {
    "total_timesteps": 600,
    "imitation_timesteps": 200,
    "teacher": "greedy:1",
    "n_envs": 6,
    "n_steps": 8,
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


def tiny(kind: type[AnySettings], run: Path, **changes: Any) -> AnySettings:
    """The settings of a tiny run."""
    return kind(run=run, **(TINY | changes))


def tiny_expert(run: Path, start: Path, **changes: Any) -> Any:
    """The settings of a tiny run of expert iteration; it needs PyTorch."""
    from pocketmars_training.expert_iteration import ExpertSettings

    return ExpertSettings(run=run, start=start, **(TINY_EXPERT | changes))


def tiny_self_play_ppo(run: Path, start: Path | None, **changes: Any) -> Any:
    """The settings of a tiny run of self-play PPO; it needs PyTorch."""
    from pocketmars_training.self_play_ppo import SelfPlayPpoSettings

    return SelfPlayPpoSettings(run=run, start=start, **(TINY_SELF_PLAY_PPO | changes))


def write_start(path: Path, spec: GameSpec = SPEC) -> Path:
    """An untrained initial policy."""
    from pocketmars_training.common.export import export
    from pocketmars_training.common.network import Network

    export(Network.of_mlp(random_mlp(2, 12, spec=spec)), path, {"name": "begin", "decisions": 7}, spec)
    return path


def newest(folder: Path) -> dict[str, Any]:
    """The content of a run's newest checkpoint."""
    from pocketmars_training.common import checkpoints

    return checkpoints.read(checkpoints.kept(folder)[-1])


def options(script: str, run: Path, **changes: Any) -> list[str]:
    """The settings of a tiny run for a script's command line."""
    words = ["--run", str(run)]
    settings = {"expert_iteration": TINY_EXPERT, "self_play_ppo": TINY_SELF_PLAY_PPO}.get(script, TINY)
    for name, value in (settings | changes).items():
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:  # a flag is its own value
            words += [str(one) for one in (value if isinstance(value, tuple) else (value,))]
    return words
