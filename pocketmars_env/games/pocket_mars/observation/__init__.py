"""The observation vector: its layout, and the kernels that write it."""
