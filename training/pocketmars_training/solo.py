"""Train an agent for the player's seat against Devious Automatics.

    pocketmars train solo --run runs/solo
    pocketmars train solo --run runs/solo --resume

First the network learns to answer as a bot would, then it improves by itself with
Stable-Baselines3's MaskablePPO. The run's folder gets checkpoints, TensorBoard's log, and in the end
`solo.onnx`, which every command takes for an agent: ``pocketmars bench runs/solo/solo.onnx``.
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


SETTINGS = SoloSettings


def main() -> None:
    """The script."""
    train("pocketmars train solo", __doc__, SETTINGS, solo_run)


if __name__ == "__main__":
    main()
