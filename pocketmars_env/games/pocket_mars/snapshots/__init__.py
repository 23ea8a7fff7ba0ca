"""Converts positions to plain data and back."""
