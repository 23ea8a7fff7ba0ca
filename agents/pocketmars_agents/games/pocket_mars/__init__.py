"""Agents and tools for Pocket Mars: evaluation, automaton agent, benchmark, leaderboard, trained policies."""
