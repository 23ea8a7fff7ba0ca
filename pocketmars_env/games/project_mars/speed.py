"""The configurations of the speed benchmark."""

from pocketmars_env.games.project_mars.config import DuelConfig

MEASURED = {"starter": DuelConfig(), "random": DuelConfig(mode="random")}
"""The measured configurations, keyed by their part of the row names; the summary uses the first one."""
