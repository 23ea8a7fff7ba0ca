"""Command-line options that are generated from dataclasses, such as a game's settings."""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import GenericAlias, NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from pocketmars_agents.cli.command_options import completion
from pocketmars_env.core.game_spec import Config, EnvMode, GameSpec
from pocketmars_env.core.settings import metadata_of

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
    offered = (field for field in fields if field.default is not None or "help" in field.metadata)
    return [field.name for field in offered if field.name not in decided]


def for_several(spec: GameSpec) -> list[str]:
    """Return the names of the settings that become options of commands for games with several players."""
    fields = {field.name: field for field in dataclasses.fields(spec.config)}
    return [name for name in all_settings(spec) if not fields[name].metadata.get("is_for_one")]


def without_players(spec: GameSpec) -> list[str]:
    """Return the same names as `for_several`, except ``players``."""
    return [name for name in for_several(spec) if name != "players"]


def for_any_number(spec: GameSpec) -> list[str]:
    """Return the names of the settings that become options of commands for any number of players."""
    mode = mode_of(spec, has_opponents=False)
    decided = mode.without if mode else ()
    names = [name for name in all_settings(spec) if name not in (*decided, "players")]
    return ["players", *names] if "players" in inspect.signature(spec.config).parameters else names


# --- options --------------------------------------------------------------------------------------


def for_game(
    command: Callable[..., None],
    spec: GameSpec,
    which: Callable[[GameSpec], list[str]] = lambda spec: [],
    **defaults: Any,
) -> Callable[..., None]:
    """Return a command for one game, with options generated from the game's settings and from dataclasses."""
    names = which(spec)
    declared = inspect.signature(command, eval_str=True).parameters.values()
    parameters: list[inspect.Parameter] = []
    makers: dict[str, Callable[[dict[str, Any]], Any]] = {}
    for parameter in declared:
        if parameter.annotation is GameSpec:
            makers[parameter.name] = lambda values: spec
        elif parameter.annotation == Settings:
            parameters += options(spec, names, which)
            makers[parameter.name] = lambda values: {
                name: numbers_or_text(values.pop(name)) for name in names
            }
        elif dataclasses.is_dataclass(parameter.annotation):
            parameters += field_options(parameter.annotation)
            makers[parameter.name] = functools.partial(made_of_fields, parameter.annotation)
        else:
            default = defaults.get(parameter.name, parameter.default)
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY, default=default))

    @functools.wraps(command)
    def run(**values: Any) -> None:
        made = {name: make(values) for name, make in makers.items()}
        command(**made, **values)

    return with_parameters(run, parameters)


def with_parameters(
    command: Callable[..., None], parameters: Iterable[inspect.Parameter]
) -> Callable[..., None]:
    """Give a command that accepts any keyword arguments the signature that Typer reads, and return it."""
    signature = inspect.Signature(list(parameters))
    command.__signature__ = signature  # type: ignore[attr-defined]  # inspect reads it
    command.__annotations__ = {name: value.annotation for name, value in signature.parameters.items()}
    return command


def field_options(owner: Any) -> Iterator[inspect.Parameter]:
    """Yield one option for each field that a dataclass's constructor accepts.

    The function `setting` defines the option's texts. Tuples of any length become lists.
    """
    hints = get_type_hints(owner)
    for field in dataclasses.fields(owner):
        if field.init:
            data = metadata_of(owner, field.name)
            flag = [f"--{field.name.replace('_', '-')}"] if isinstance(field.default, bool) else []
            make: Any = typer.Argument if data.get("is_positional") else typer.Option
            option = make(*flag, help=help_of(data), rich_help_panel=data.get("group"))
            option.show_default = data.get("show_default", True)
            option.autocompletion = completion(functools.partial(tuple, data.get("choices", ())))
            default = inspect.Parameter.empty if field.default is dataclasses.MISSING else field.default
            yield inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=default,
                annotation=Annotated[option_type(hints[field.name]), option],
            )


def option_type(hint: Any) -> Any:
    """Return the type of an option for a field; the option is text if the field accepts several types."""
    kinds = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    kind, *others = (kind for kind in kinds if kind is not NoneType)
    if others:
        kind = str
    elif get_origin(kind) is tuple:
        kind = GenericAlias(list, get_args(kind)[0])
    return kind | None if NoneType in kinds else kind


def made_of_fields(owner: Any, values: dict[str, Any]) -> Any:
    """Remove the values of a dataclass's fields from `values`, and return an instance with these values."""
    names = [field.name for field in dataclasses.fields(owner) if field.init]
    found = {name: values.pop(name) for name in names}
    return owner(
        **{name: tuple(value) if isinstance(value, list) else value for name, value in found.items()}
    )


def numbers_or_text(value: Any) -> Any:
    """Parse a string such as ``"1,2"`` into a list of integers; return any other value unchanged."""
    if isinstance(value, str) and "," in value and value.replace(",", "").isdecimal():
        return [int(number) for number in value.split(",") if number]
    return value


def help_of(data: Mapping[str, Any]) -> str | None:
    """Return a setting's help text, including any choices; None if the setting has no help text."""
    help, choices = data.get("help"), data.get("choices")
    return f"{help.removesuffix('.')}; one of: {', '.join(choices)}." if help and choices else help


def options(
    spec: GameSpec, names: list[str], which: Callable[[GameSpec], list[str]]
) -> Iterator[inspect.Parameter]:
    """Yield one option for each setting in `names`."""
    parameters = {parameter.name: parameter for parameter in field_options(spec.config)}
    for name in names:
        parameter = parameters[name]
        if name == "players" and which is for_any_number:
            (option,) = parameter.annotation.__metadata__
            option.help = f"{(option.help or 'How many').removesuffix('.')}{REMAINING}."
            option.show_default = "depends on the bots"
            parameter = parameter.replace(default=None, annotation=Annotated[int | None, option])
        yield parameter
