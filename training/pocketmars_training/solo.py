"""Train an agent for the player's seat against Devious Automatics.

    pocketmars train solo --run runs/solo
    pocketmars train solo --run runs/solo --resume

The network first imitates a bot, then improves with Stable-Baselines3's MaskablePPO. The run's folder
receives checkpoints, the TensorBoard log and finally `solo.onnx`, which every command accepts as an agent:
``pocketmars bench runs/solo/solo.onnx``.
"""

from dataclasses import dataclass
from typing import Literal

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.ids import SOLO_ID
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.games.pocket_mars import solo_ladder
from pocketmars_training.run.ppo_run import PpoRun
from pocketmars_training.run.script import train
from pocketmars_training.run.settings import Settings


@dataclass(frozen=True, kw_only=True)
class SoloSettings(Settings):
    """Train an agent for the player's seat against Devious Automatics."""

    level: Literal["standard", "super_droid", "cyborg", "all"] = "all"
    """The DA's level; ``all`` plays each level in a third of the games."""


def solo_env(settings: SoloSettings) -> JoinedVecEnv:
    """Makes the training environment, with equal parts for the levels."""
    levels = LEVELS if settings.level == "all" else (settings.level,)
    shares = settings.parts_of_games(len(levels))
    return JoinedVecEnv([PocketMarsVecEnv(SOLO_ID, n, level=level) for n, level in zip(shares, levels) if n])


def solo_run(settings: SoloSettings) -> PpoRun:
    """Makes the run for the settings."""
    levels = LEVELS if settings.level == "all" else (settings.level,)
    return PpoRun(
        settings,
        solo_env(settings),
        solo_ladder(levels),
        opponent_win_split=("greedy", "planner"),
        name="solo",
    )


SETTINGS = SoloSettings


def main() -> None:
    """Runs the script."""
    train("pocketmars train solo", __doc__, SETTINGS, solo_run)


if __name__ == "__main__":
    main()
