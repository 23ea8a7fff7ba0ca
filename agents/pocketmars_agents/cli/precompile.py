"""The command ``pocketmars precompile``, which compiles all kernels of all games ahead of their first use."""

import typer

from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent
from pocketmars_agents.bots.mmd_agent import MmdAgent
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.cli.command_options import errors_of
from pocketmars_agents.game_bots import game_bots_of
from pocketmars_agents.network.first_layer import write_outputs
from pocketmars_env.core.agent import prepare
from pocketmars_env.core.compiled import compiling
from pocketmars_env.core.compiled.kernel_cache import cache_root, is_storing
from pocketmars_env.core.game_spec import GAMES, GameSpec
from pocketmars_env.core.precompile import compile_all, ensure_compact_compiled
from pocketmars_env.core.presentation.presenting import presentation_of


def compile_game(spec: GameSpec) -> None:
    """Compile the kernels of a game's rules, pictures and bots for the CPU, unless they are cached."""
    if "write_counts" in spec.kernels.parts:
        ensure_compact_compiled(spec)
    presentation_of(spec).prepare()
    searches = GreedyAgent(), IsmctsAgent(), PuctAgent(), MmdAgent()
    for agent in (*searches, *(new() for new in game_bots_of(spec).agents)):
        prepare(agent, spec)
    compile_all(spec.kernels, [write_outputs], spec.title, "first layer of networks", seconds=2)


def precompile_command() -> None:
    """Compile all kernels, so that no later start compiles any.

    The kernels are stored in the user's cache folder, or in the folder given by the environment variable
    NUMBA_CACHE_DIR. The folder can be copied and may be read-only.

    Example: `pocketmars precompile`
    """
    with errors_of("precompile", None):
        for spec in GAMES.values():
            compile_game(spec)
        if not (compiling.IS_COMPILED and is_storing()):
            raise ValueError("no kernels were stored; NUMBA_CACHE_DIR must be a folder that can be written")
        typer.echo(f"All kernels are in {cache_root()}.")
