"""The configurations of the speed benchmark."""

from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": GameConfig(2),
    "3p": GameConfig(3),
    "4p": GameConfig(4),
    "solo": GameConfig(mode="solo"),
}
"""The measured configurations, by the name that row names contain; the report summarizes the first one."""
