"""From a snapshot back to a state. A snapshot shows everything but settings and the random stream."""

from typing import Any

from pocketmars_env.core.compiled.states import States


def check_record(states: States) -> None:
    """Raise a ValueError unless the one record of `states`, ``(1,)`` `STATE`, is a position of a game."""
    raise NotImplementedError


Any
