"""``python -m pocketmars_agents`` is the command ``pocketmars``."""

from pocketmars_agents.cli.command_line import main

main()
