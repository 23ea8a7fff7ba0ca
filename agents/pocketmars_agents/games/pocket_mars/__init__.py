"""Pocket Mars for bots: evaluation weights, the automaton, suites, the benchmark, and shipped policies."""
