"""The configurations of the speed benchmark, and its target speeds."""

from pocketmars_env.core.measured import Measured
from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": Measured("2 players", GameConfig(2), "Table"),
    "3p": Measured("3 players", GameConfig(3)),
    "4p": Measured("4 players", GameConfig(4)),
    "solo": Measured("solo", GameConfig(mode="solo"), "Solo"),
}
"""Configurations by row name; comparisons and rates use the first one."""

AIMS = {
    "kernel, mask / OpenSpiel hanabi, mask + observation": 50,
    "kernel, mask + observation / OpenSpiel hanabi, mask + observation": 20,
    "raw_env() / PettingZoo connect_four, raw": 5,
    "env() / empty environment in the same wrappers": 0.8,
    "kernel, rules + mask": 8_000_000,
    "kernel, rules + mask + observation": 2_600_000,
    "raw_env()": 200_000,
    "vector environment, random masked actions": 1_000_000,
}
"""Targets: ratios for rows with two sides, otherwise decisions per second."""
