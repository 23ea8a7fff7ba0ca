"""The rules engine of Pocket Mars. Read `README.md` in this folder first."""
