"""The environments' ids. Importing `pocketmars_env` registers them; their modules load when made."""

import gymnasium

SOLO_ID = "pocketmars/Solo-v0"
"""For `gymnasium.make`."""
AEC_ID = "pocketmars/pocketmars-v0"
"""For `pettingzoo.make`, with PettingZoo 1.27 or later."""


def register_environments() -> None:
    """Register all environments with the libraries that make them."""
    gymnasium.register(SOLO_ID, entry_point="pocketmars_env.envs.single_player:SoloEnv")
    try:
        from pettingzoo import register
    except ImportError:  # earlier versions have no registry
        return
    register("aec", AEC_ID, entry_point="pocketmars_env.envs.aec:env")
