"""Game-specific parts of bots and commands, one folder per game."""
