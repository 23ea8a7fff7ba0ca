"""Speed benchmark of the games and of other libraries: ``python -m pocketmars_env.speed``."""
