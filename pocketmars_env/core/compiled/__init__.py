"""What is compiled for every game, and how: Numba, random numbers, bit sets, batched entry points."""
