"""Bots for the seats of all games, and the command ``pocketmars``."""

from pocketmars_agents.registry import ACCEPTED_AGENTS, Agent, BatchAgent, choose_actions, make_agent

__all__ = ["ACCEPTED_AGENTS", "Agent", "BatchAgent", "choose_actions", "make_agent"]
