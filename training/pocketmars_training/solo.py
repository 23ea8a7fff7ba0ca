"""Train an agent for the player's seat in the solo game, against Devious Automatics (DA).

    pocketmars train solo --run runs/solo
    pocketmars train solo --resume runs/solo

The network first imitates a bot, then improves with PPO. The run writes checkpoints, a TensorBoard log and
finally `solo.onnx`, which can be used as a bot: ``pocketmars bench runs/solo/solo.onnx``.
"""

from dataclasses import dataclass, field

from pocketmars_env.core.settings import setting
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import GAMES, Coefficient, Count, Positive, Share
from pocketmars_training.common.training_spec import GameKind, training_of
from pocketmars_training.ppo import PpoRun, PpoSettings

ALL = "all"


@dataclass(frozen=True, kw_only=True)
class SoloSettings(PpoSettings):
    """Train an agent for the player's seat against Devious Automatics."""

    command = "pocketmars train solo"

    level: str = setting(ALL, "Level of Devious Automatics", GAMES, (*LEVELS, ALL))
    total_timesteps: Count = 5_000_000
    imitation_timesteps: int = 1_000_000
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

    players: tuple[int, ...] = field(init=False, default=(1,))
    """All games are single-player games."""
    bots: tuple[str, ...] = field(init=False, default=())
    """The automaton is the only opponent."""
    bot_share: float = field(init=False, default=0.0)
    past_every: int = field(init=False, default=0)
    present_share: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        self._check("game", training_of(self.spec).solo is not None, "a game with a single-player mode")
        super().__post_init__()

    @property
    def kinds(self) -> list[GameKind]:
        return [kind for kind in super().kinds if self.level in (ALL, kind["level"])]


class SoloRun(PpoRun):
    """A PPO run for the player's seat in the solo game."""

    settings: SoloSettings

    def __init__(self, settings: SoloSettings) -> None:
        super().__init__(settings)
        if settings.level != ALL:
            self.matchups = [matchup for matchup in self.matchups if matchup.name == settings.level]


def main() -> None:
    run_script(__doc__, SoloSettings, SoloRun)


if __name__ == "__main__":
    main()
