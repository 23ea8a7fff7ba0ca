"""Animated GIFs, and windows that show pictures."""
