"""Agents that get their actions from language models."""
