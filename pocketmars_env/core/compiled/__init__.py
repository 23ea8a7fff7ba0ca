"""Compilation with Numba, and compiled code that all games use, such as bit sets and batched entry points."""
