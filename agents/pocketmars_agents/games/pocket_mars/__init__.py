"""Agents and tools for Pocket Mars: evaluation, automaton agent, benchmark, trained policies."""
