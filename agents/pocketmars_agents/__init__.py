"""Bots for Pocket Mars and Project Mars, and the command-line interface ``pocketmars``."""

from pocketmars_agents.registry import ACCEPTED_AGENTS, Agent, BatchAgent, choose_actions, make_agent

__all__ = ["ACCEPTED_AGENTS", "Agent", "BatchAgent", "choose_actions", "make_agent"]
