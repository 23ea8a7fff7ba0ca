"""The configurations that the speed benchmark measures."""

from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": GameConfig(2),
    "3p": GameConfig(3),
    "4p": GameConfig(4),
    "solo": GameConfig(mode="solo"),
}
"""The configurations to measure; each key is part of the names of the benchmark's rows. The summary uses the
first configuration."""
