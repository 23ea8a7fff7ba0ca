"""Train an agent for the choices of Devious Automatics, against bots in the player's seat.

    python -m training.da_seat --run runs/da_seat
    python -m training.da_seat --run runs/da_seat --player planner solo

The DA's automaton chooses by a fixed rule; this agent chooses so that the player loses. As
`training.solo`, it first imitates a bot in that seat, then improves by itself. In the end the run's
folder holds `da_seat.onnx`.
"""

from dataclasses import dataclass

from training.joined_vec_env import JoinedVecEnv
from training.ladder import da_ladder
from training.ppo_run import PpoRun
from training.sb3_vec_env import PocketMarsVecEnv
from training.script import train
from training.settings import Settings


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(Settings):
    """Train an agent for the choices of Devious Automatics, against bots in the player's seat."""

    player: tuple[str, ...] = ("planner",)
    """The bots in the player's seat, each in an equal part of the games of each level; any names of
    `agents.make_agent`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_agents("player", self.player)


def da_seat_run(settings: DaSeatSettings) -> PpoRun:
    """The run of some settings: its games are those of the ladder, on other deals."""
    ladder = da_ladder(settings.player)
    shares = settings.parts_of_games(len(ladder))
    parts = [PocketMarsVecEnv(rung.environment, n, **rung.settings) for n, rung in zip(shares, ladder) if n]
    return PpoRun(
        settings, JoinedVecEnv(parts), ladder, rivals=("random", "automaton", "planner"), name="da_seat"
    )


if __name__ == "__main__":
    train("training.da_seat", __doc__, DaSeatSettings, da_seat_run)
