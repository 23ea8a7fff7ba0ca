"""Compile the kernels that the tests use; ``python -m tests.kernels GAME...`` fills the cache."""

import subprocess
import sys

from pocketmars_agents.cli.precompile import compile_game
from pocketmars_env.core.game_spec import GAMES
from tests.third_game.pairs import SPEC as PAIRS

PROCESSES = (("pocket_mars",), ("project_mars", PAIRS.name))
"""The games whose kernels each process compiles."""


def compile_in_processes() -> None:
    """Compile the kernels of all games, in two processes."""
    commands = [[sys.executable, "-m", "tests.kernels", *games] for games in PROCESSES]
    running = [subprocess.Popen(command) for command in commands]
    statuses = [process.wait() for process in running]
    if any(statuses):
        raise RuntimeError("the kernels could not be compiled")


if __name__ == "__main__":
    games = {**GAMES, PAIRS.name: PAIRS}
    for game in sys.argv[1:]:
        compile_game(games[game])
