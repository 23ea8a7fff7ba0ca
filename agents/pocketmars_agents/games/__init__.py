"""What bots know of each game, one folder a game."""
