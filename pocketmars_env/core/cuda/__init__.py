"""Games on an NVIDIA GPU, with the same kernels as on the CPU and one thread per game.

This package is imported only when it is first used.
"""
