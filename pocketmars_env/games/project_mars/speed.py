"""The configurations of the speed benchmark."""

from pocketmars_env.games.project_mars.config import DuelConfig

MEASURED = {"starter": DuelConfig(), "random": DuelConfig(mode="random")}
"""The measured configurations, by the name that row names contain; the report summarizes the first one."""
