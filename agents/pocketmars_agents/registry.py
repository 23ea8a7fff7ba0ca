"""Registry that creates agents from their names."""

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from pocketmars_agents.bots.ismcts_agent import ACCEPTED_NAMES as ISMCTS_NAMES
from pocketmars_agents.bots.ismcts_agent import IsmctsAgent
from pocketmars_agents.bots.look_ahead_agent import GreedyAgent, PlannerAgent
from pocketmars_agents.bots.mmd_agent import ACCEPTED_NAMES as MMD_NAMES
from pocketmars_agents.bots.mmd_agent import MmdAgent
from pocketmars_agents.bots.policy_agent import PolicyAgent, check_game, check_play
from pocketmars_agents.bots.puct_agent import ACCEPTED_NAMES as PUCT_NAMES
from pocketmars_agents.bots.puct_agent import PuctAgent
from pocketmars_agents.bots.random_agent import RandomAgent
from pocketmars_agents.bots.tree_searcher import TreeSearcher
from pocketmars_agents.game_bots import all_game_bots, current_name, policy_file
from pocketmars_agents.line_protocol.exec_agent import KIND as EXEC
from pocketmars_agents.line_protocol.exec_agent import ExecAgent, checked_exec_name
from pocketmars_agents.llm.llm_agent import LlmAgent
from pocketmars_agents.llm.settings import ACCEPTED_NAMES as LLM_NAMES
from pocketmars_agents.llm.settings import LlmSettings
from pocketmars_env.core.agent import Agent, BatchAgent, choose_actions, is_batch_agent
from pocketmars_env.core.errors import MAX_QUOTED, error_text, one_line, quoted
from pocketmars_env.core.game_spec import GameSpec
from pocketmars_env.core.settings import did_you_mean

__all__ = ["Agent", "BatchAgent", "accepted_names", "choose_actions", "is_batch_agent", "make_agent"]

SEARCHES = IsmctsAgent, PuctAgent, MmdAgent
POLICY_SUFFIX = ".onnx"
WHERE_NAMES_ARE = "`pocketmars bots` lists the names; my_bot:MyBot is your own class MyBot in my_bot.py"
PARTS = re.compile(r"((?:[A-Za-z]:[\\/])?[^:]*):?(.*)", re.DOTALL)
"""Splits a name at its first colon, except for the one in a Windows path, such as ``C:\\solo.onnx``."""


def accepted_names() -> tuple[str, ...]:
    """Return the accepted forms of agent names."""
    all_bots = all_game_bots()
    policies = ", ".join(repr(name) for bots in all_bots for name in bots.policies)
    return (
        "'random'",
        "'greedy', 'planner', 'greedy:N' or 'planner:N' (N determinizations)",
        ISMCTS_NAMES,
        PUCT_NAMES,
        MMD_NAMES,
        *(f"{agent_class.name!r} ({note})" for bots in all_bots for agent_class, note in bots.agents.items()),
        f"{policies} (trained policies)",
        LLM_NAMES,
        "'path/to/policy.onnx', with ':sample' to sample actions",
        "'exec:COMMAND' for a program in any language",
        "'module:Class' for your own class",
    )


class Kind(NamedTuple):
    """Two functions for one kind of built-in agent; both take its full name, such as ``"greedy:32"``."""

    make: Callable[[str], Agent]  # creates the agent with the given name
    name_of: Callable[[str], str]  # returns the canonical name; imports no module and opens no file


def with_determinizations(agent_class: type[GreedyAgent] | type[PlannerAgent]) -> Kind:
    """Return the `Kind` of a look-ahead agent, whose name may end with the number of determinizations."""

    def make(name: str) -> GreedyAgent | PlannerAgent:
        _, colon, digits = name.partition(":")
        if colon and not (digits.isascii() and digits.isdigit()):
            raise ValueError(
                f"the number of determinizations in {quoted(name)} must be a positive integer, such as "
                "'greedy:32'"
            )
        return agent_class(int(digits) if colon else None)

    return Kind(make, lambda name: make(name).name)


def without_options(agent_class: type[Any]) -> Kind:
    """Return the `Kind` of an agent without options."""

    def only_name(name: str) -> str:
        if name != agent_class.name:
            raise unknown(name)
        return name

    return Kind(lambda name: agent_class(), only_name)


def trained(policy: Path) -> Kind:
    """Return the `Kind` of a trained policy, whose name may end with ``:sample``."""

    def play_of(name: str) -> str:
        return name.partition(":")[2] or "best"

    def name_of(name: str) -> str:
        check_play(play_of(name))
        return name

    return Kind(lambda name: PolicyAgent(policy, play_of(name), name=name), name_of)


def unknown(name: str) -> ValueError:
    suggestion = did_you_mean(name.partition(":")[0], kinds())
    return ValueError(f"{suggestion}unknown agent {quoted(name)}; {WHERE_NAMES_ARE}")


def searching(agent_class: type[TreeSearcher]) -> Kind:
    """Return the `Kind` of a search."""
    return Kind(agent_class.from_name, lambda name: agent_class.options_type.from_name(name).name)


KINDS: dict[str, Kind] = {
    "random": without_options(RandomAgent),
    "greedy": with_determinizations(GreedyAgent),
    "planner": with_determinizations(PlannerAgent),
    **{search.options_type.bot: searching(search) for search in SEARCHES},
    "llm": Kind(LlmAgent.from_name, lambda name: LlmSettings.from_name(name).name),
    EXEC: Kind(ExecAgent, checked_exec_name),
}
"""The kinds of agents for any game, keyed by the part of the agent's name before the first colon."""


def kinds() -> dict[str, Kind]:
    """Return the kinds of agents for any game and for single games, with the keys of `KINDS`."""
    all_bots = all_game_bots()
    agents = {
        agent_class.name: without_options(agent_class) for bots in all_bots for agent_class in bots.agents
    }
    policies = {name: trained(policy) for bots in all_bots for name, policy in bots.policies.items()}
    return KINDS | agents | policies


def make_agent(name: str) -> Agent:
    """Create an agent from its name, such as ``"planner"``, ``"puct:400"`` or ``"module:Class"``.

    `accepted_names` returns the accepted forms. For the options that a name can contain, see `IsmctsAgent`,
    `PuctAgent`, `PolicyAgent` and `LlmSettings`. For a name of the form ``module:Class``, the module is
    imported, which runs its code: check names from untrusted files with `needs_trust` first.

    Raises:
        ValueError: if the name is not accepted or the agent cannot be created; the message gives the reason.

    """
    canonical_name(name)
    name = current_name(name)
    kind, argument = parts_of(name)
    if kind.endswith(POLICY_SUFFIX):
        return PolicyAgent(kind, argument or "best")
    if kind in kinds():
        return kinds()[kind].make(name)
    return own_agent(kind, argument)


def own_agent(module_name: str, class_name: str) -> Agent:
    """Create an agent from a class in any importable module; raise a ValueError if this fails."""
    try:
        module = importlib.import_module(module_name)
        agent_class = getattr(module, class_name, None)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module_name}.".startswith(f"{error.name}."):
            raise ValueError(f"cannot import {module_name}: {error_text(error)}") from error
        suggestion = did_you_mean(module_name, kinds())
        raise ValueError(f"{suggestion}{error_text(error)}; {WHERE_NAMES_ARE}") from error
    except (Exception, SystemExit) as error:  # importing runs arbitrary code
        reason = f"{type(error).__name__}: {error_text(error)}"
        raise ValueError(f"cannot import {module_name}: {reason}") from error
    if not isinstance(agent_class, type) or not callable(getattr(agent_class, "act", None)):
        class_name = one_line(class_name, MAX_QUOTED)
        classes = [name for name, value in vars(module).items() if callable(getattr(value, "act", None))]
        suggestion = did_you_mean(class_name, classes)
        raise ValueError(f"{suggestion}{module_name} has no class {class_name} with a method act(view, rng)")
    try:
        agent: Agent = agent_class()
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error_text(error)}"
        raise ValueError(f"cannot create an agent from {module_name}:{class_name}: {reason}") from error
    if not isinstance(getattr(agent, "name", None), str):
        raise ValueError(f"an agent of {module_name}:{class_name} has no name: set the attribute 'name'")
    return agent


# --- names ------------------------------------------------------------------------------------------


def parts_of(name: str) -> tuple[str, str]:
    """Return the kind of an agent, or the path of its policy or its module, and the rest of its name."""
    match = PARTS.fullmatch(name)
    assert match is not None
    return match[1], match[2]


def canonical_name(name: str) -> str:
    """Return an agent's canonical name, which is used in results.

    Two names, such as ``"ismcts"`` and ``"ismcts:1000"``, have the same canonical name if they differ only in
    whether a default value is written out. An exception is ``:best``, the default for policies: it stays in
    the name. The earlier name of a policy is replaced by its current name. The function imports no module and
    opens no file, so `name` may come from an untrusted file.
    """
    if not isinstance(name, str):
        raise ValueError(f"an agent's name must be a string, got {quoted(name)}")
    name = current_name(name)
    kind, argument = parts_of(name)
    if kind.endswith(POLICY_SUFFIX):
        check_play(argument or "best")
    elif kind in kinds():
        return kinds()[kind].name_of(name)
    elif not (argument.isidentifier() and all(part.isidentifier() for part in kind.split("."))):
        raise unknown(name)
    return name


def checked_name(name: str, spec: GameSpec | None = None) -> str:
    """Return the canonical name of an agent after checking that the agent can be created and plays a game."""
    own = getattr(make_agent(name), "spec", None)
    if spec is not None and isinstance(own, GameSpec):
        check_game(name, own, spec)
    return canonical_name(name)


def is_remote(name: str) -> bool:
    """Return whether `name` belongs to a built-in agent that calls a server; calls may cost money."""
    return name.partition(":")[0] == "llm"


def needs_trust(name: str) -> bool:
    """Return whether an agent calls a server, or uses a module, file or program specified in its name."""
    kind = canonical_name(name).partition(":")[0]
    return kind not in kinds() or kind == EXEC or is_remote(name) or opens_a_file(name)


def opens_a_file(name: str) -> bool:
    """Return whether a search uses a policy from a file that is specified in its name."""
    search = {search.options_type.bot: search for search in SEARCHES}.get(name.partition(":")[0])
    if search is None:
        return False
    settings = search.options_type.from_name(name)
    policies = (getattr(settings, key) for key in settings.policies)
    return any(policy is not None and policy_file(policy) == policy for policy in policies)
