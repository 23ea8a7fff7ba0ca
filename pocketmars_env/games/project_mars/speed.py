"""The configurations and targets of the speed benchmark."""

from pocketmars_env.games.project_mars.config import DuelConfig

MEASURED = {"starter": DuelConfig(), "random": DuelConfig(mode="random")}
"""The measured configurations, keyed by row name; the figures in `AIMS` refer to the first configuration."""

AIMS = {
    "kernel, rules + mask": "≥ 5,000,000",
    "kernel, rules + mask + observation": "≥ 2,000,000",
    "kernel, observation in uint8 / in float32": "≥ 1.5",
    "2 threads / 1 thread, rules + mask + observation": "≥ 1.8",
    "raw_env()": "≥ 200,000",
    "state of a game": "≤ 1,024",
}
"""The targets of the benchmark's figures, keyed by name."""
