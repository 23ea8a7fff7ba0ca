"""Bots by name. This is the only module that finds code of a higher storey, through an entry-point group.

A package offers its bots with an entry point in the group ``pocketmars.bots``: a function that makes the
bot of a name, and raises a ValueError that says which names it accepts. This project's own is
`pocketmars_agents.make_agent`.
"""

from importlib.metadata import entry_points

from pocketmars_env.core.agent import Agent

GROUP = "pocketmars.bots"


def bot_of(name: str) -> Agent:
    """The bot of a name such as ``"greedy"``, from the first installed package that knows it.

    Raises:
        ValueError: if no package knows it; says what each of them accepts.

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
