"""Speed benchmark of this package's games and of other libraries: ``python -m pocketmars_env.speed``."""
