"""Pocket Mars: evaluation weights, the automaton, suites, the benchmark and shipped policies."""
