"""Train an agent for the choices of Devious Automatics, against bots in the player's seat.

    pocketmars train da-seat --run runs/da_seat
    pocketmars train da-seat --run runs/da_seat --player planner solo

The DA's automaton follows a fixed rule; this agent learns to make the player lose. Like
`pocketmars train solo`, the script first imitates a bot in that seat, then trains with MaskablePPO. It writes
`da_seat.onnx`.
"""

from dataclasses import dataclass

from pocketmars_env.adapters.sb3 import PocketMarsVecEnv
from pocketmars_training.data.joined_vec_env import JoinedVecEnv
from pocketmars_training.games.pocket_mars import da_ladder
from pocketmars_training.run.ppo_run import PpoRun
from pocketmars_training.run.script import train
from pocketmars_training.run.settings import Settings


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(Settings):
    """Train an agent for the choices of Devious Automatics, against bots in the player's seat."""

    player: tuple[str, ...] = ("planner",)
    """The bots in the player's seat, each in an equal part of the games of each level; any names of
    `pocketmars_agents.make_agent`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_agents("player", self.player)


def da_seat_run(settings: DaSeatSettings) -> PpoRun:
    """Makes the run for the settings; it trains on the ladder's games with other deals."""
    ladder = da_ladder(settings.player)
    shares = settings.parts_of_games(len(ladder))
    parts = [PocketMarsVecEnv(rung.environment, n, **rung.settings) for n, rung in zip(shares, ladder) if n]
    return PpoRun(
        settings,
        JoinedVecEnv(parts),
        ladder,
        opponent_win_split=("random", "automaton", "planner"),
        name="da_seat",
    )


SETTINGS = DaSeatSettings


def main() -> None:
    """Runs the script."""
    train("pocketmars train da-seat", __doc__, SETTINGS, da_seat_run)


if __name__ == "__main__":
    main()
