"""Train an agent for the player's seat in the solo game, against Devious Automatics (DA).

    pocketmars train solo --run runs/solo
    pocketmars train solo --resume runs/solo

The network first imitates a bot, then improves with sb3-contrib's MaskablePPO. The run writes
checkpoints, a TensorBoard log and finally `solo.onnx`, which can be used as a bot: ``pocketmars
bench runs/solo/solo.onnx``.
"""

from dataclasses import dataclass

from pocketmars_env.core.settings import setting
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_training.common.maskable_ppo import MaskablePpoRun, matchup_env
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import GAMES, MaskablePpoSettings
from pocketmars_training.games.pocket_mars import solo_matchups

ALL = "all"


@dataclass(frozen=True, kw_only=True)
class SoloSettings(MaskablePpoSettings):
    """Train an agent for the player's seat against Devious Automatics."""

    level: str = setting(ALL, "Level of Devious Automatics", GAMES, (*LEVELS, ALL))

    def __post_init__(self) -> None:
        super().__post_init__()
        enough = len(self.levels)
        self._check("n_envs", self.n_envs >= enough, f"at least {enough}, one game at each level")

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels of the training games; each is played in an equal share of the parallel games."""
        return LEVELS if self.level == ALL else (self.level,)


def solo_run(settings: SoloSettings) -> MaskablePpoRun:
    """Create a run that trains in the matchups of the evaluation, but on different deals."""
    matchups = solo_matchups(settings.levels)
    env = matchup_env(settings, matchups)
    return MaskablePpoRun(settings, env, matchups, baselines=("greedy", "planner"), name="solo")


def main() -> None:
    run_script("pocketmars train solo", __doc__, SoloSettings, solo_run)


if __name__ == "__main__":
    main()
