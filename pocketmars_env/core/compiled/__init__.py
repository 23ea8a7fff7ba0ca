"""Compilation with Numba, and compiled code for all games: random numbers, bit sets, batched entry points."""
