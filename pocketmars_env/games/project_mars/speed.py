"""The configurations of the speed benchmark."""

from pocketmars_env.games.project_mars.config import DuelConfig

MEASURED = {"starter": DuelConfig(), "random": DuelConfig(mode="random")}
"""The configurations to measure, keyed by the names used in row names; the summary uses the first one."""
