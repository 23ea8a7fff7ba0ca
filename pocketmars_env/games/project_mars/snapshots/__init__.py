"""Converts game states to plain data and back."""
