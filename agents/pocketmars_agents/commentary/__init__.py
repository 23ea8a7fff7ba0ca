"""What happened in a game, in words."""
