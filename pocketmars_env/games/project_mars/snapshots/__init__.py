"""Converts states to plain data and back."""
