"""Pocket Mars: the evaluation, the automaton agent, the benchmark and its suites, and shipped policies."""
