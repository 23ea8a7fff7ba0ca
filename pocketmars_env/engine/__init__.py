"""The rules of Pocket Mars: NumPy and Numba only. Read `README.md` in this folder first."""
