"""How fast the game is, and how fast others are: the parts of `pocketmars_env.benchmark`."""
