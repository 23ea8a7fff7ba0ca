"""Multilayer perceptrons, compiled, and the files that hold them."""
