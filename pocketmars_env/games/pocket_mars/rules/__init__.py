"""The rules of Pocket Mars: NumPy, Numba and the core. Read `README.md` in this folder first."""
