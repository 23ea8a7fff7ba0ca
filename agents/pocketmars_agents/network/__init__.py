"""Compiled multilayer perceptrons and their files."""
