"""Agents that let language models play."""
