"""Numba compilation, and compiled code shared by all games, such as bit sets and batched functions."""
