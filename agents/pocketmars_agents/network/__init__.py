"""Compiled multilayer perceptrons, and parsers for policy files and their metadata."""
