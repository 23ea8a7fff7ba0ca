"""Definition and checks of game settings, and signatures generated from settings."""

import dataclasses
import difflib
import inspect
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from pocketmars_env.core.errors import quoted


def setting(
    default: Any, help: str, group: str | None = None, choices: Sequence[str] = (), **more: Any
) -> Any:
    """Return a dataclass field with metadata for `check_choices` and the command line.

    A required setting has the default ``dataclasses.MISSING``. The help text has no final period, and the
    group is the heading above the option in a command's help. The `choices` are the accepted strings. `more`
    can contain ``is_for_one`` (the setting is only for single-player games), ``is_positional`` (it is an
    argument instead of an option), ``offered`` (the values that forms offer, if any value is accepted; empty
    if forms do not offer the setting) and ``show_default`` (a text in the help).
    """
    data = {"help": f"{help}.", "group": group, "choices": tuple(choices), **more}
    return dataclasses.field(default=default, metadata=data)


def metadata_of(config: type[Any], name: str) -> Mapping[str, Any]:
    """Return a setting's metadata; a class that overrides only the default inherits them."""
    for kind in config.__mro__:
        field = getattr(kind, "__dataclass_fields__", {}).get(name)
        if field is not None and field.metadata:
            return field.metadata  # type: ignore[no-any-return]
    return {}


def check_choices(config: Any) -> None:
    """Check every setting that has a list of accepted strings or whose default is a bool."""
    for field in dataclasses.fields(config):
        value, choices = getattr(config, field.name), field.metadata.get("choices")
        if choices and (value is not None or type(None) not in typing.get_args(field.type)):
            check_choice(field.name, value, choices)
        if isinstance(field.default, bool) and not isinstance(value, bool):
            raise ValueError(f"{field.name} must be True or False, got {quoted(value)}")


def check_choice(name: str, value: object, accepted: Collection[str]) -> None:
    """Raise a ValueError unless `value` is in `accepted`; the message names the accepted values."""
    if value not in accepted:
        names = ", ".join(map(repr, accepted))
        raise ValueError(f"{did_you_mean(value, accepted)}{name} must be one of {names}, got {quoted(value)}")


def check_names(owner: str, names: Iterable[str], accepted: Collection[str]) -> None:
    """Raise a TypeError unless all names of settings are `accepted`; `owner` is what has the settings."""
    for name in names:
        if name not in accepted:
            # Python's own words, because libraries such as TorchRL look for them to see what is accepted.
            suggestion = did_you_mean(name, accepted)
            raise TypeError(f"{suggestion}{owner} got an unexpected keyword argument {quoted(name)}")


def setting_names(config: type[Any]) -> tuple[str, ...]:
    """Return the names of a game's settings, given their type, a dataclass."""
    return tuple(field.name for field in dataclasses.fields(config))


def did_you_mean(value: object, accepted: Iterable[str]) -> str:
    """Return the beginning of an error message: the most similar accepted value; empty if none is similar."""
    close = difflib.get_close_matches(value, list(accepted), n=1) if isinstance(value, str) else []
    return f"did you mean {close[0]!r}? " if close else ""


def check_integer(name: str, value: Any, least: int, most: int) -> int:
    """Return `value` if it is an ``int`` (not a bool) in `least`..`most`; otherwise raise a ValueError."""
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name} must be an integer in {least}..{most}, got {quoted(value)}")
    return value


def signature_with(
    config: type[Any], function: Callable[..., Any], without: Collection[str] = ()
) -> inspect.Signature:
    """Return a constructor's signature with a keyword-only parameter per setting for ``**settings``."""
    own_parameters = list(inspect.signature(function).parameters.values())[1:]
    settings = [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type
        )
        for field in dataclasses.fields(config)
    ]
    parameters = [
        parameter
        for parameter in [*settings, *own_parameters]
        if parameter.name not in without and parameter.kind != parameter.VAR_KEYWORD
    ]
    parameters.sort(key=lambda parameter: parameter.kind)  # positional parameters first
    return inspect.Signature(parameters)
