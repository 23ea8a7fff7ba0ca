"""Games on an NVIDIA GPU: the same kernels, one thread per game. This package is imported on first use."""
