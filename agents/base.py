"""What an agent is, and how one is made from its name."""

import importlib

from agents.greedy_agent import GreedyAgent
from agents.planner_agent import PlannerAgent
from agents.random_agent import RandomAgent
from pocketmars_env.agent import Agent, BatchAgent, answers

__all__ = ["Agent", "BatchAgent", "answers", "make_agent"]

ACCEPTED_AGENTS = (
    "'random', 'greedy', 'planner', 'greedy:N' or 'planner:N' (N sampled worlds), "
    "or 'module:Class' for a class of your own"
)


LOOK_AHEAD_AGENTS = {"greedy": GreedyAgent, "planner": PlannerAgent}


def make_agent(name: str) -> Agent:
    """The agent of a name.

    Args:
        name: ``"random"``; ``"greedy"`` or ``"planner"``; ``"greedy:32"`` with another number of
            sampled worlds; or ``"module:Class"``, a class without required arguments in a module
            that can be imported.

    Raises:
        ValueError: names what is accepted.

    """
    kind, colon, argument = name.partition(":")
    if name == "random":
        return RandomAgent()
    if name in LOOK_AHEAD_AGENTS:
        return LOOK_AHEAD_AGENTS[name]()
    if kind in LOOK_AHEAD_AGENTS:
        return LOOK_AHEAD_AGENTS[kind](number_of_worlds(name, argument))
    if colon and kind and argument and kind != "random":
        return own_agent(kind, argument)
    raise ValueError(f"unknown agent {name!r}; accepted: {ACCEPTED_AGENTS}")


def number_of_worlds(name: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"the number of worlds in {name!r} must be a positive integer, such as 'greedy:32'")
    return int(digits)


def own_agent(module_name: str, class_name: str) -> Agent:
    """An agent of a class that is not part of this package."""
    try:
        found = getattr(importlib.import_module(module_name), class_name, None)
    except ModuleNotFoundError as error:
        raise ValueError(f"{error}; accepted agents: {ACCEPTED_AGENTS}") from error
    if not isinstance(found, type) or not callable(getattr(found, "act", None)):
        raise ValueError(f"{module_name} has no class {class_name} with a method act(view, rng)")
    agent: Agent = found()
    if not isinstance(getattr(agent, "name", None), str):
        raise ValueError(f"an agent of {module_name}:{class_name} has no name: set the attribute 'name'")
    return agent
