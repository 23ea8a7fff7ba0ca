"""The configurations of the speed benchmark."""

from pocketmars_env.games.project_mars.config import DuelConfig

MEASURED = {"starter": DuelConfig(), "random": DuelConfig(mode="random")}
"""The configurations to measure; the keys are part of the names of the benchmark's rows. The figures in the
benchmark's summary are for the first configuration."""
