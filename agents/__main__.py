"""``python -m agents`` is the command ``pocketmars``."""

from agents.command_line import main

main()
