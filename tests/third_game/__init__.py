"""A small game that is no part of the package, and everything that a game gets from it."""
