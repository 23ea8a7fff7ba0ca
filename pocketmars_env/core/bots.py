"""Lookup of bots by name, through the entry points of installed packages.

`core` imports no package that defines bots. Instead, such a package declares an entry point in the group
``pocketmars.bots``: a function that takes a bot's name and returns the bot, or raises a ValueError whose
message gives the reason, such as an unknown name. The entry point of this project is
`pocketmars_agents.make_agent`.
"""

from importlib.metadata import entry_points

from pocketmars_env.core.agent import Agent
from pocketmars_env.core.errors import error_text, quoted

GROUP = "pocketmars.bots"


def bot_of(name: str) -> Agent:
    """Return the bot with the given name, such as ``"greedy"``.

    The bot comes from the first entry point that accepts the name. The entry point of this project is tried
    first, then the entry points of other packages in alphabetical order.

    Raises:
        ValueError: if no entry point returns a bot; the message contains the reason that each entry
            point gives or how it failed, or says that no package with bots is installed.

    """
    complaints = []
    for offered in sorted(
        entry_points(group=GROUP), key=lambda point: (point.name != "built_in", point.name)
    ):
        try:
            bot: Agent = offered.load()(name)
        except ValueError as error:
            complaints.append(error_text(error))
        except (Exception, SystemExit) as error:  # importing and calling it runs arbitrary code
            reason = f"{type(error).__name__}: {error_text(error)}"
            complaints.append(f"the entry point {quoted(offered.name)} of the group {GROUP} failed: {reason}")
        else:
            return bot
    if not complaints:
        raise ValueError(f"unknown bot {quoted(name)}: no installed package provides bots")
    raise ValueError("; ".join(complaints))
