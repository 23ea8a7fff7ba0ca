"""The command line ``pocketmars``."""
