"""The `GameCommands` of all games."""

from pocketmars_agents.cli.game_commands import GameCommands
from pocketmars_agents.games.pocket_mars.commands import COMMANDS as POCKET_MARS
from pocketmars_agents.games.project_mars.commands import COMMANDS as PROJECT_MARS
from pocketmars_env.core.game_spec import GameSpec

GAME_COMMANDS = {"pocket_mars": POCKET_MARS, "project_mars": PROJECT_MARS}
"""The `GameCommands` by game name."""


def game_commands_of(spec: GameSpec) -> GameCommands:
    """Return the `GameCommands` of a game, with default values for a game that is not listed."""
    return GAME_COMMANDS.get(spec.name, GameCommands())
