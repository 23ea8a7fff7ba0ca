"""Command-line options that are generated from a game's settings."""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from pocketmars_env.core.game_spec import Config, EnvMode, GameSpec

Settings = dict[str, Any]
"""A game's settings by name. `for_game` replaces a command's parameter of this type with options."""
REMAINING = "; the last bot gets the remaining seats"


def mode_of(spec: GameSpec, has_opponents: bool) -> EnvMode | None:
    """Return the first environment mode whose `has_opponents` has the given value; None if there is none."""
    return next((mode for mode in spec.env_modes if mode.has_opponents is has_opponents), None)


def config_for_one(spec: GameSpec, settings: Settings) -> Config | None:
    """Return a one-player configuration with the given settings; None if the game has no one-player mode."""
    mode = mode_of(spec, has_opponents=False)
    config: Config | None = None if mode is None else spec.config(**mode.settings_of(settings))
    return config


# --- selection of settings ------------------------------------------------------------------------


def all_settings(spec: GameSpec) -> list[str]:
    """Return the names of all settings that become command-line options.

    These are the settings with a help text or with a default other than None, except those that the game's
    first environment mode with opponents does not accept.
    """
    mode = mode_of(spec, has_opponents=True)
    decided = mode.without if mode else ()
    fields = dataclasses.fields(spec.config)
    shown = (one for one in fields if one.default is not None or "help" in one.metadata)
    return [one.name for one in shown if one.name not in decided]


def for_several(spec: GameSpec) -> list[str]:
    """Return the names of the settings that become options of commands for games with several players."""
    fields = {one.name: one for one in dataclasses.fields(spec.config)}
    return [name for name in all_settings(spec) if not fields[name].metadata.get("is_for_one")]


def without_players(spec: GameSpec) -> list[str]:
    """Return the same names as `for_several`, except ``players``."""
    return [name for name in for_several(spec) if name != "players"]


def for_any_number(spec: GameSpec) -> list[str]:
    """Return the names of the settings that become options of commands for any number of players."""
    mode = mode_of(spec, has_opponents=False)
    decided = mode.without if mode else ()
    own = [name for name in all_settings(spec) if name not in (*decided, "players")]
    return ["players", *own] if "players" in inspect.signature(spec.config).parameters else own


# --- options --------------------------------------------------------------------------------------


def for_game(
    command: Callable[..., None],
    spec: GameSpec,
    which: Callable[[GameSpec], list[str]] = lambda spec: [],
    **defaults: Any,
) -> Callable[..., None]:
    """Return a command for one game, with options generated from the game's settings and from dataclasses."""
    names = which(spec)
    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters: list[inspect.Parameter] = []
    makers: dict[str, Callable[[dict[str, Any]], Any]] = {}
    for one in own:
        if one.annotation is GameSpec:
            makers[one.name] = lambda given: spec
        elif one.annotation == Settings:
            parameters += options(spec, names, which)
            makers[one.name] = lambda given: {name: numbers_or_text(given.pop(name)) for name in names}
        elif dataclasses.is_dataclass(one.annotation):
            parameters += field_options(one.annotation)
            makers[one.name] = functools.partial(made_of_fields, one.annotation)
        else:
            default = defaults.get(one.name, one.default)
            parameters.append(one.replace(kind=one.KEYWORD_ONLY, default=default))

    @functools.wraps(command)
    def run(**given: Any) -> None:
        made = {name: make(given) for name, make in makers.items()}
        command(**made, **given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def field_options(group: Any) -> Iterator[inspect.Parameter]:
    """Yield one option for each field of a dataclass."""
    for one in dataclasses.fields(group):
        yield inspect.Parameter(
            one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=one.type
        )


def made_of_fields(group: Any, given: dict[str, Any]) -> Any:
    """Remove the values of a dataclass's fields from `given`, and return an instance with these values."""
    return group(**{one.name: given.pop(one.name) for one in dataclasses.fields(group)})


def numbers_or_text(value: Any) -> Any:
    """Parse a string such as ``"1,2"`` into a list of integers; return any other value unchanged."""
    if isinstance(value, str) and "," in value and value.replace(",", "").isdecimal():
        return [int(number) for number in value.split(",") if number]
    return value


def help_of(field: dataclasses.Field[Any]) -> str | None:
    """Return a setting's help text, including any choices; None if the setting has no help text."""
    help, choices = field.metadata.get("help"), field.metadata.get("choices")
    return f"{help.removesuffix('.')}; one of: {', '.join(choices)}." if help and choices else help


def options(
    spec: GameSpec, names: list[str], which: Callable[[GameSpec], list[str]]
) -> Iterator[inspect.Parameter]:
    """Yield one option for each setting in `names`."""
    fields = {one.name: one for one in dataclasses.fields(spec.config)}
    for name in names:
        default, help = fields[name].default, help_of(fields[name])
        kind: Any = str | None if default is None else type(default)
        flag = [f"--{name.replace('_', '-')}"] if isinstance(default, bool) else []
        option = typer.Option(*flag, help=help)
        if name == "players" and which is for_any_number:
            option.help = f"{(help or 'How many').removesuffix('.')}{REMAINING}."
            option.show_default = "depends on the bots"
            default, kind = None, int | None
        yield inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
        )
