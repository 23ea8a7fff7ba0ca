"""How fast the game is, and how fast others are: ``python -m pocketmars_env.speed`` measures it."""
