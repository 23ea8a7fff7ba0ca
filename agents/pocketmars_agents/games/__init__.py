"""Game-specific bots and commands, one folder per game."""
