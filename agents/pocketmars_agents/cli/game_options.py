"""Options of a command that are a game's settings."""

import dataclasses
import functools
import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import typer

from pocketmars_env.core.game_spec import Config, EnvMode, GameSpec

Settings = dict[str, Any]
"""A game's settings by name. A command's parameter of this type becomes one option for each of them."""
REMAINING = "; the last bot takes the seats that remain"


def mode_of(spec: GameSpec, has_opponents: bool) -> EnvMode | None:
    """The game's first mode with or without opponents; None if there is none."""
    return next((mode for mode in spec.env_modes if mode.has_opponents is has_opponents), None)


def config_for_one(spec: GameSpec, settings: Settings) -> Config | None:
    """The configuration for one player alone; None if the game has no such mode."""
    mode = mode_of(spec, has_opponents=False)
    config: Config | None = None if mode is None else spec.config(**mode.settings_of(settings))
    return config


# --- which settings -------------------------------------------------------------------------------


def all_settings(spec: GameSpec) -> list[str]:
    """The settings that have a default to show, without those that follow from who plays."""
    mode = mode_of(spec, has_opponents=True)
    decided = mode.without if mode else ()
    fields = dataclasses.fields(spec.config)
    return [one.name for one in fields if one.default is not None and one.name not in decided]


def for_several(spec: GameSpec) -> list[str]:
    """Those of games between several players."""
    fields = {one.name: one for one in dataclasses.fields(spec.config)}
    return [name for name in all_settings(spec) if not fields[name].metadata.get("is_for_one")]


def without_players(spec: GameSpec) -> list[str]:
    """Those of games between several players, whose number is given."""
    return [name for name in for_several(spec) if name != "players"]


def for_any_number(spec: GameSpec) -> list[str]:
    """Those where the number of players says whether one plays alone; `players` may be left out."""
    mode = mode_of(spec, has_opponents=False)
    decided = mode.without if mode else ()
    own = [name for name in all_settings(spec) if name not in (*decided, "players")]
    return ["players", *own] if "players" in inspect.signature(spec.config).parameters else own


# --- options --------------------------------------------------------------------------------------


def for_game(
    command: Callable[..., None], spec: GameSpec, which: Callable[[GameSpec], list[str]], **defaults: Any
) -> Callable[..., None]:
    """A command with its game given, and with an option for each of some settings.

    Args:
        command: takes `spec`, and `settings` as a `Settings`.
        spec: the game.
        which: gives the names of the settings.
        defaults: of other parameters, where they depend on the game.

    """
    names = which(spec)

    @functools.wraps(command)
    def run(**given: Any) -> None:
        settings = {name: given.pop(name) for name in names}
        command(spec=spec, settings=settings, **given)

    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [
        parameter
        for one in own
        if one.name != "spec"
        for parameter in (
            options(spec, names, which)
            if one.annotation == Settings
            else [one.replace(kind=one.KEYWORD_ONLY, default=defaults.get(one.name, one.default))]
        )
    ]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {one.name: one.annotation for one in parameters}
    return run


def options(
    spec: GameSpec, names: list[str], which: Callable[[GameSpec], list[str]]
) -> Iterator[inspect.Parameter]:
    """The options of some settings."""
    fields = {one.name: one for one in dataclasses.fields(spec.config)}
    for name in names:
        default, help = fields[name].default, fields[name].metadata.get("help")
        kind: Any = type(default)
        flag = [f"--{name.replace('_', '-')}"] if isinstance(default, bool) else []
        option = typer.Option(*flag, help=help)
        if name == "players" and which is for_any_number:
            option.help = f"{(help or 'How many').removesuffix('.')}{REMAINING}."
            option.show_default = "as named"
            default, kind = None, int | None
        yield inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, option]
        )
