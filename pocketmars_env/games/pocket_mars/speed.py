"""The configurations that the speed benchmark measures."""

from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": GameConfig(2),
    "3p": GameConfig(3),
    "4p": GameConfig(4),
    "solo": GameConfig(mode="solo"),
}
"""The configurations to measure, keyed by the names used in the benchmark's row names. The figures in the
benchmark's summary are for the first configuration."""
