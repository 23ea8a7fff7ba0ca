"""Train an agent for the choices of Devious Automatics, against bots in the player's seat.

    pocketmars train da-seat --run runs/da_seat
    pocketmars train da-seat --run runs/da_seat --player planner solo

The DA's automaton follows a fixed rule; this agent learns to make the player lose. Like `pocketmars train
solo`, the script first imitates a bot in that seat, then trains with MaskablePPO. It writes `da_seat.onnx`.
"""

from dataclasses import dataclass

from pocketmars_training.common.maskable_ppo import MaskablePpoRun, matchup_env
from pocketmars_training.common.script import run_script
from pocketmars_training.common.settings import Agents, MaskablePpoSettings
from pocketmars_training.games.pocket_mars import da_matchups


@dataclass(frozen=True, kw_only=True)
class DaSeatSettings(MaskablePpoSettings):
    """Train an agent for the choices of Devious Automatics, against bots in the player's seat."""

    player: Agents = ("planner",)
    """The bots in the player's seat, each in an equal part of the games of each level; any names of
    `pocketmars_agents.make_agent`."""


def da_seat_run(settings: DaSeatSettings) -> MaskablePpoRun:
    """Create the run; it trains in the evaluation's matchups, on other deals."""
    matchups = da_matchups(settings.player)
    env = matchup_env(settings, matchups)
    return MaskablePpoRun(settings, env, matchups, ("random", "automaton", "planner"), name="da_seat")


def main() -> None:
    """Run the script."""
    run_script("pocketmars train da-seat", __doc__, DaSeatSettings, da_seat_run)


if __name__ == "__main__":
    main()
