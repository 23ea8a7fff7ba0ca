"""Train an agent for the choices of Devious Automatics, against a bot in the player's seat.

    python -m training.da_seat --run runs/da_seat

The DA's automaton chooses by a fixed rule; this agent chooses so that the player loses. As
`training.solo`, it first imitates a bot in that seat, then improves by itself. In the end the run's
folder holds `da_seat.onnx`.
"""

from dataclasses import dataclass
from typing import Any

from agents import make_agent
from pocketmars_env.engine.config import LEVELS
from pocketmars_env.engine.constants import DA_SEAT
from pocketmars_env.registration import TABLE_ID
from training.joined_vec_env import JoinedVecEnv
from training.ladder import Rung
from training.ppo_run import PpoRun
from training.sb3_vec_env import PocketMarsVecEnv
from training.script import train
from training.settings import Settings


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(Settings):
    """Train an agent for the choices of Devious Automatics, against a bot in the player's seat."""

    player: str = "planner"
    """The bot in the player's seat; any name of `agents.make_agent`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        make_agent(self.player)  # raises a ValueError if there is none of that name


def da_settings(level: str, player: str) -> dict[str, Any]:
    """An environment's settings: the learner answers for the DA."""
    return {"mode": "solo", "level": level, "seat": DA_SEAT, "opponents": player}


def da_seat_run(settings: DaSeatSettings) -> PpoRun:
    """The run of some settings."""
    shares = settings.parts_of_games(3)
    parts = [
        PocketMarsVecEnv(TABLE_ID, games, **da_settings(level, settings.player))
        for games, level in zip(shares, LEVELS)
        if games
    ]
    rungs = [Rung(level, TABLE_ID, da_settings(level, settings.player)) for level in LEVELS]
    rivals = ("random", "automaton", "planner")
    return PpoRun(settings, JoinedVecEnv(parts), rungs, rivals, name="da_seat")


if __name__ == "__main__":
    train("training.da_seat", __doc__, DaSeatSettings, da_seat_run)
