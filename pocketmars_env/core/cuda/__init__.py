"""Games on an NVIDIA GPU, with the same kernels as on the CPU; one thread plays each game.

Importing `pocketmars_env` does not import this package.
"""
