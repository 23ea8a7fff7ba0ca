"""Train an agent for the player's seat against Devious Automatics.

    python -m training.solo --run runs/solo
    python -m training.solo --run runs/solo --resume

First the network learns to answer as a bot would, then it improves by itself with
Stable-Baselines3's MaskablePPO. The run's folder gets checkpoints, TensorBoard's log, and in the end
`solo.onnx`, which every command takes for an agent: ``pocketmars bench runs/solo/solo.onnx``.
"""

from dataclasses import dataclass
from typing import Literal

from pocketmars_env.engine.config import LEVELS
from pocketmars_env.registration import SOLO_ID
from training.joined_vec_env import JoinedVecEnv
from training.ladder import solo_ladder
from training.ppo_run import PpoRun
from training.sb3_vec_env import PocketMarsVecEnv
from training.script import train
from training.settings import Settings


@dataclass(frozen=True, kw_only=True)
class SoloSettings(Settings):
    """Train an agent for the player's seat against Devious Automatics."""

    level: Literal["standard", "super_droid", "cyborg", "all"] = "all"
    """The DA's level; ``all``: each in a third of the games."""


def solo_env(settings: SoloSettings) -> JoinedVecEnv:
    """The games that are learnt from, in equal parts of the levels."""
    levels = LEVELS if settings.level == "all" else (settings.level,)
    shares = settings.parts_of_games(len(levels))
    return JoinedVecEnv([PocketMarsVecEnv(SOLO_ID, n, level=level) for n, level in zip(shares, levels) if n])


def solo_run(settings: SoloSettings) -> PpoRun:
    """The run of some settings."""
    levels = LEVELS if settings.level == "all" else (settings.level,)
    return PpoRun(
        settings, solo_env(settings), solo_ladder(levels), rivals=("greedy", "planner"), name="solo"
    )


if __name__ == "__main__":
    train("training.solo", __doc__, SoloSettings, solo_run)
