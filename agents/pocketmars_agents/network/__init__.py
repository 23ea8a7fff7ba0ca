"""Compiled multilayer perceptrons, and parsers of policy files and their metadata."""
