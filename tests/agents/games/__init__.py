"""Tests of the game-specific parts of bots."""
