"""Version 0 of the PettingZoo environment, which was removed; importing this module fails."""

from pocketmars_env.games.pocket_mars.rules_version import version_0_message

raise ImportError(version_0_message("pocketmars_v0") + ": import pocketmars_v1")
