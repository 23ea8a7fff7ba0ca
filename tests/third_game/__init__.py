"""A small game outside of the package, and tests of everything that it gets by being registered."""
