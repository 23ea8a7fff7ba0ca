"""Version 0 of the PettingZoo environment was removed; importing this module raises an ImportError."""

from pocketmars_env.games.pocket_mars.rules_version import version_0_message

raise ImportError(version_0_message("pocketmars_v0") + ": import pocketmars_v1")
