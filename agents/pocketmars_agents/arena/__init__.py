"""Plays games between bots, keeps the results, and compares the bots."""
