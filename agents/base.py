"""What an agent is, and how one is made from its name."""

import importlib
from collections.abc import Callable

from agents.automaton_agent import AutomatonAgent
from agents.greedy_agent import GreedyAgent
from agents.guided_agent import ACCEPTED_NAMES as GUIDED_NAMES
from agents.guided_agent import GuidedAgent
from agents.ismcts_agent import ACCEPTED_NAMES as ISMCTS_NAMES
from agents.ismcts_agent import IsmctsAgent
from agents.planner_agent import PlannerAgent
from agents.policy_agent import PolicyAgent
from agents.random_agent import RandomAgent
from agents.shipped import SHIPPED, shipped_agent
from pocketmars_env.agent import Agent, BatchAgent, answers, is_batch_agent

__all__ = ["ACCEPTED_AGENTS", "Agent", "BatchAgent", "answers", "is_batch_agent", "make_agent"]

ACCEPTED_AGENTS = (
    "'random', 'greedy', 'planner', 'greedy:N' or 'planner:N' (N sampled worlds), "
    f"{ISMCTS_NAMES}, {GUIDED_NAMES}, 'automaton' (in the DA's seat), "
    f"{', '.join(map(repr, SHIPPED))} (trained policies), "
    "'path/to/policy.onnx', with ':sample' to draw from it, or 'module:Class' for a class of your own"
)


def number_of_worlds(name: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"the number of worlds in {name!r} must be a positive integer, such as 'greedy:32'")
    return int(digits)


def with_worlds(kind: type[GreedyAgent] | type[PlannerAgent]) -> Callable[[str], Agent]:
    """Makes a look-ahead agent from its whole name."""

    def make(name: str) -> Agent:
        _, colon, argument = name.partition(":")
        return kind(number_of_worlds(name, argument)) if colon else kind()

    return make


def without_options(kind: type[RandomAgent] | type[AutomatonAgent]) -> Callable[[str], Agent]:
    """Makes an agent that has no options from its whole name."""

    def make(name: str) -> Agent:
        if name != kind.name:
            raise unknown(name)
        return kind()

    return make


def unknown(name: str) -> ValueError:
    return ValueError(f"unknown agent {name!r}; accepted: {ACCEPTED_AGENTS}")


MAKERS: dict[str, Callable[[str], Agent]] = {
    "random": without_options(RandomAgent),
    "automaton": without_options(AutomatonAgent),
    "greedy": with_worlds(GreedyAgent),
    "planner": with_worlds(PlannerAgent),
    "ismcts": IsmctsAgent.from_name,
    "guided": GuidedAgent.from_name,
    **dict.fromkeys(SHIPPED, shipped_agent),
}
"""How an agent is made from its whole name, by what stands before the first colon."""


def make_agent(name: str) -> Agent:
    """The agent of a name.

    Args:
        name: ``"random"``; ``"greedy"`` or ``"planner"``; ``"greedy:32"`` with another number of
            sampled worlds; ``"ismcts:1000"`` and the like, see `IsmctsAgent`; ``"guided:400"``,
            see `GuidedAgent`; ``"automaton"`` for the DA's seat; ``"solo"``, ``"table"`` and
            ``"da_seat"``, the trained policies that come with the package;
            ``"path/to/policy.onnx"``, see `PolicyAgent`, with ``":sample"`` to draw from it; or
            ``"module:Class"``, a class without required arguments in a module that can be imported.

    Raises:
        ValueError: names what is accepted.

    """
    kind, _, argument = name.partition(":")
    if kind.endswith(".onnx"):
        return PolicyAgent(kind, argument or "best")
    if kind in MAKERS:
        return MAKERS[kind](name)
    if kind and argument:
        return own_agent(kind, argument)
    raise unknown(name)


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


def canonical_name(name: str) -> str:
    """The name under which an agent's games are kept: that of a built-in one leaves defaults out.

    Raises:
        ValueError: as `make_agent`.

    """
    agent = make_agent(name)
    return agent.name if name.partition(":")[0] in MAKERS else name
