"""Train an agent for the choices of Devious Automatics, against bots in the player's seat.

    pocketmars train da-seat --run runs/da_seat
    pocketmars train da-seat --run runs/da_seat --player planner solo

The DA's automaton follows a fixed rule; this agent learns to make the player lose. Like `pocketmars train
solo`, the script first imitates a bot in that seat, then trains with MaskablePPO. It writes `da_seat.onnx`.
"""

from contextlib import closing
from dataclasses import dataclass

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.common.joined_vec_env import JoinedVecEnv
from pocketmars_training.common.maskable_ppo import MaskablePpoRun
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import MaskablePpoSettings
from pocketmars_training.games.pocket_mars import da_matchups


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(MaskablePpoSettings):
    """Train an agent for the choices of Devious Automatics, against bots in the player's seat."""

    player: tuple[str, ...] = ("planner",)
    """The bots in the player's seat, each in an equal part of the games of each level; any names of
    `pocketmars_agents.make_agent`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_agents("player", self.player)


def da_seat_run(settings: DaSeatSettings) -> MaskablePpoRun:
    """Create the run; it trains in the evaluation's matchups, on other deals."""
    matchups = da_matchups(settings.player)
    parts = [
        PocketMarsVecEnv(matchup.environment, count, **matchup.settings)
        for count, matchup in zip(settings.split_envs(len(matchups)), matchups)
        if count
    ]
    baselines = ("random", "automaton", "planner")
    return MaskablePpoRun(settings, JoinedVecEnv(parts), matchups, baselines, name="da_seat")


def train(settings: DaSeatSettings) -> None:
    """Train, evaluate and export the policy."""
    with closing(da_seat_run(settings)) as run:
        run.train()


SETTINGS = DaSeatSettings


def main() -> None:
    """Run the script."""
    run_script("pocketmars train da-seat", __doc__, SETTINGS, train)


if __name__ == "__main__":
    main()
