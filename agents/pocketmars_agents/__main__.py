"""Entry point of ``python -m pocketmars_agents``, which runs the command ``pocketmars``."""

from pocketmars_agents.cli.command_line import main

main()
