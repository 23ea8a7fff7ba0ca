"""Games on an NVIDIA GPU: the same kernels, one thread per game. Imported on first use."""
