"""Tests of what bots know of one game."""
