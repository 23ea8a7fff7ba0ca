"""Errors of the rules."""


class IllegalAction(ValueError):
    """The action is not legal at the current decision. The game is unchanged."""
