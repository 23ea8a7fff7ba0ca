"""Animated GIFs and windows."""
