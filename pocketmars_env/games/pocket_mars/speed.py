"""The configurations that the speed benchmark measures."""

from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": GameConfig(2),
    "3p": GameConfig(3),
    "4p": GameConfig(4),
    "solo": GameConfig(mode="solo"),
}
"""The measured configurations, keyed by their names in the report's rows; the report summarizes the first."""
