"""Lookup of bots by name, through entry points.

This is the only module in `core` that calls code of a higher layer.

A package offers its bots with an entry point in the group ``pocketmars.bots``: a function that takes a
name and returns the bot, or raises a ValueError that lists the accepted names. The entry point of this
project is `pocketmars_agents.make_agent`.
"""

from importlib.metadata import entry_points

from pocketmars_env.core.agent import Agent

GROUP = "pocketmars.bots"


def bot_of(name: str) -> Agent:
    """The bot with a name such as ``"greedy"``, from the first installed package that accepts the name.

    Raises:
        ValueError: if no package accepts the name; the message lists the names that each package accepts.

    """
    complaints = []
    for offered in sorted(
        entry_points(group=GROUP), key=lambda point: (point.name != "built_in", point.name)
    ):
        try:
            bot: Agent = offered.load()(name)
        except ValueError as error:
            complaints.append(str(error))
        else:
            return bot
    if not complaints:
        raise ValueError(f"there is no bot {name!r}: no package with bots is installed")
    raise ValueError("; ".join(complaints))
