"""The bots, each in its own file."""
