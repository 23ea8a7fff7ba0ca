"""Pocket Mars: the evaluation, the automaton agent, the benchmark with its suites, and trained policies."""
