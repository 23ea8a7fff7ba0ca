"""The games of which the package knows more than their `GameSpec`."""

from pocketmars_agents.games.game_parts import GameParts
from pocketmars_agents.games.pocket_mars.parts import PARTS as POCKET_MARS
from pocketmars_env.core.game_spec import GameSpec

PARTS = {"pocket_mars": POCKET_MARS}
"""By the game's name."""


def parts_of(spec: GameSpec) -> GameParts:
    """What the package knows of a game alone."""
    return PARTS.get(spec.name, GameParts())
