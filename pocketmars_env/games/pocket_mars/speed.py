"""The configurations and targets of the speed benchmark."""

from pocketmars_env.games.pocket_mars.config import GameConfig

MEASURED = {
    "2p": GameConfig(2),
    "3p": GameConfig(3),
    "4p": GameConfig(4),
    "solo": GameConfig(mode="solo"),
}
"""The measured configurations, keyed by row name; the figures in `AIMS` refer to the first configuration."""

AIMS = {
    "kernel, mask / OpenSpiel hanabi, mask + observation": "≥ 50",
    "kernel, mask + observation / OpenSpiel hanabi, mask + observation": "≥ 20",
    "raw_env() / PettingZoo connect_four, raw": "≥ 5",
    "env() / empty environment in the same wrappers": "≥ 0.8",
    "kernel, rules + mask": "≥ 8,000,000",
    "kernel, rules + mask + observation": "≥ 2,600,000",
    "kernel, observation in uint8 / in float32": "≥ 1.5",
    "2 threads / 1 thread, rules + mask + observation": "≥ 1.8",
    "raw_env()": "≥ 200,000",
    "vector environment, random masked actions": "≥ 1,000,000",
    "environment's share of MaskablePPO.learn": "≤ 10 %",
    "new process that makes one step of env()": "≤ 1.5 s",
    "state of a game": "≤ 512",
}
"""The targets of the benchmark's figures, keyed by name."""
