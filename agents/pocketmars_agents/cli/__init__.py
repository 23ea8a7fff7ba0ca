"""The command-line interface, ``pocketmars``."""
