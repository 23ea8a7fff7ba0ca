"""The rules of Project Mars, as data and kernels."""
