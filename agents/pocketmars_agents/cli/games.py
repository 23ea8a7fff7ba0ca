"""The `GameCommands` of all games."""

from pocketmars_agents.cli.game_commands import GameCommands
from pocketmars_agents.games.pocket_mars.commands import COMMANDS as POCKET_MARS
from pocketmars_agents.games.project_mars.commands import COMMANDS as PROJECT_MARS
from pocketmars_env.core.game_spec import GameSpec

BUILT_IN = (POCKET_MARS, PROJECT_MARS)
"""The `GameCommands` of the built-in games."""
_GAME_COMMANDS = {commands.game.name: commands for commands in BUILT_IN}


def add_game_commands(commands: GameCommands) -> None:
    """Register the `GameCommands` of a game. Call this function before the command line runs."""
    _GAME_COMMANDS[commands.game.name] = commands


def game_commands_of(spec: GameSpec) -> GameCommands:
    """Return a game's `GameCommands`, with default values for a game without registered `GameCommands`."""
    return _GAME_COMMANDS.get(spec.name) or GameCommands(game=spec)
