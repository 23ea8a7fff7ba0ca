"""Positions as plain data, and back."""
