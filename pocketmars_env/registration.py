"""The environments' ids. Importing `pocketmars_env` registers them; their modules load when made."""

import gymnasium

from pocketmars_env.episode_length import MAX_EPISODE_STEPS

SOLO_ID = "pocketmars/Solo-v0"
"""For `gymnasium.make` and `gymnasium.make_vec`: alone against the DA."""
TABLE_ID = "pocketmars/Table-v0"
"""The same: one seat among opponents."""
AEC_ID = "pocketmars/pocketmars-v0"
"""For `pettingzoo.make`, with PettingZoo 1.27 or later."""


def register_environments() -> None:
    """Register all environments with the libraries that make them."""
    for environment, name in ((SOLO_ID, "Solo"), (TABLE_ID, "Table")):
        gymnasium.register(
            environment,
            entry_point=f"pocketmars_env.envs.single_player:{name}Env",
            vector_entry_point=f"pocketmars_env.envs.vector:{name}VectorEnv",
            # Games end by themselves. Loaders such as d3rlpy's want a number, and count up to it.
            max_episode_steps=MAX_EPISODE_STEPS,
        )
    try:
        from pettingzoo import register
    except ImportError:  # earlier versions have no registry
        return
    register("aec", AEC_ID, entry_point="pocketmars_env.envs.aec:env")
