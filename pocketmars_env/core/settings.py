"""Checks of settings, and signatures made from them."""

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from typing import Any


def check_choice(name: str, value: object, accepted: tuple[str, ...]) -> None:
    """Raise a ValueError that names what is accepted, unless `value` is among it."""
    if value not in accepted:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, accepted))}, got {value!r}")


def check_flag(name: str, value: object) -> None:
    """Raise a ValueError unless `value` is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be True or False, got {value!r}")


def signature_with(
    config: type[Any], function: Callable[..., Any], without: Iterable[str] = ()
) -> inspect.Signature:
    """A constructor's signature, with a game's settings for its ``**settings``.

    Args:
        config: the type of the settings, a dataclass.
        function: the constructor's ``__init__``.
        without: settings that the constructor does not have.

    """
    own = list(inspect.signature(function).parameters.values())[1:]
    left_out = set(without)
    settings = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type)
        for one in dataclasses.fields(config)
        if one.name not in left_out
    ]
    positional = [one for one in own if one.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    keywords = [one for one in own if one.kind is inspect.Parameter.KEYWORD_ONLY]
    return inspect.Signature([*positional, *settings, *keywords])
