"""Compile the kernels that the tests use; ``python -m tests.kernels GAME...`` fills the cache."""

import subprocess
import sys

from pocketmars_agents.bots.batched import BatchedAgent
from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.games.pocket_mars.automaton_agent import AutomatonAgent
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.games import Games
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.games.pocket_mars.spec import SPEC as POCKET_MARS
from pocketmars_env.games.project_mars.spec import SPEC as PROJECT_MARS
from tests.third_game.pairs import SPEC as PAIRS

SPECS = {spec.name: spec for spec in (POCKET_MARS, PROJECT_MARS, PAIRS)}
PROCESSES = (("pocket_mars",), ("project_mars", "pairs"))
"""The games whose kernels each process compiles."""


def compile_in_processes() -> None:
    """Compile the kernels of all games, in two processes."""
    commands = [[sys.executable, "-m", "tests.kernels", *games] for games in PROCESSES]
    running = [subprocess.Popen(command) for command in commands]
    statuses = [process.wait() for process in running]
    if any(statuses):
        raise RuntimeError("the kernels could not be compiled")


def compile_kernels(spec: GameSpec, *more: BatchedAgent) -> None:
    """Compile the kernels of a game's rules and search bots, and of those in `more`, unless cached."""
    for agent in (GreedyAgent(), IsmctsAgent(), *more):
        agent.prepare(spec)
    if spec is POCKET_MARS:
        AutomatonAgent().prepare(spec)
    presentation_of(spec).prepare()


if __name__ == "__main__":
    for game in map(SPECS.__getitem__, sys.argv[1:]):
        compile_kernels(game, PuctAgent())
        if game is not PAIRS:  # Pairs has only float32 observations
            Games(1, game, observation_dtype="uint8").observe()
