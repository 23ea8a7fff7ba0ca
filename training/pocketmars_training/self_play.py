"""Train one agent for games of 2, 3 and 4 players, against bots, past selves and itself.

    pocketmars train self-play --run runs/multi
    pocketmars train self-play --resume runs/multi

The network first imitates a bot, then improves with PPO in games against a league of opponents (see
`common/league.py`). The run writes checkpoints, past selves, a TensorBoard log and finally `multi.onnx` (for
Project Mars, `duel.onnx`), which can be used as a bot: ``pocketmars arena runs/multi/multi.onnx greedy``.
"""

from dataclasses import dataclass, field
from typing import Annotated

from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import Coefficient, Count, Positive, Share
from pocketmars_training.ppo import PpoRun, PpoSettings


@dataclass(frozen=True, kw_only=True)
class SelfPlaySettings(PpoSettings):
    """Train one agent for all player counts in `players`, against bots, past selves and itself."""

    command = "pocketmars train self-play"

    total_timesteps: Count = 5_000_000
    imitation_timesteps: int = 1_000_000
    past_every: Annotated[int, "0 or more"] = 500_000
    n_envs: Count = 256
    train_freq: Count = 8_192
    batch_size: Count = 2_048
    n_epochs: Count = 2
    learning_rate: Positive = 3e-4
    gae_lambda: Share = 0.95
    ent_coef: Coefficient = 0.003
    barrier_coef: Coefficient = 0.0
    eval_freq: Count = 500_000
    save_freq: Count = 250_000

    bot_share: float = field(init=False, default=0.0)
    """Bots play in a league."""


def main() -> None:
    run_script(__doc__, SelfPlaySettings, PpoRun)


if __name__ == "__main__":
    main()
