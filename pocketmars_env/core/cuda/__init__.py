"""Games on an NVIDIA GPU, with the same kernels as on the CPU and one thread per game.

Importing `pocketmars_env` does not import this package.
"""
