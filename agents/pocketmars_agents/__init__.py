"""Bots for every seat of every game, and the command line ``pocketmars``."""

from pocketmars_agents.registry import ACCEPTED_AGENTS, Agent, BatchAgent, choose_actions, make_agent

__all__ = ["ACCEPTED_AGENTS", "Agent", "BatchAgent", "choose_actions", "make_agent"]
