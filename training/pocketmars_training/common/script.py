"""The command line of the training scripts, with one-line error messages."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeVar

import typer

from pocketmars_agents.cli.command_line import check_game
from pocketmars_agents.cli.command_options import errors_of, run_typer
from pocketmars_agents.cli.game_options import field_options, made_of_fields, with_parameters
from pocketmars_env.core.game_spec import game_named
from pocketmars_env.core.several_values import SeveralValues
from pocketmars_training.common import checkpoints
from pocketmars_training.common.checkpoints import CheckpointError
from pocketmars_training.common.network import Diverged
from pocketmars_training.common.run_folder import RunError, check_trust, settings_to_resume
from pocketmars_training.common.settings import START, RunSettings
from pocketmars_training.common.training_spec import training_of

AnySettings = TypeVar("AnySettings", bound=RunSettings)


class Trainable(Protocol):
    """A run of a script, such as a `Run`."""

    def train(self) -> None:
        """Do the work of the script."""

    def close(self) -> None:
        """Release all resources."""


def run_script(
    description: str | None,
    settings_class: type[AnySettings],
    new_run: Callable[[AnySettings], Trainable],
) -> None:
    """Run a training script from the command line; after an expected error, exit with a one-line message."""
    name = settings_class.command

    def script(**values: Any) -> None:
        with errors_of(name.removeprefix("pocketmars "), None):
            settings = settings_of(settings_class, values)
        try:
            with closing(new_run(settings)) as run:
                run.train()
        except KeyboardInterrupt:
            has_checkpoint = bool(checkpoints.kept(settings.run))
            next_step = (
                f"continue with --resume {settings.run}"
                if has_checkpoint
                else "there is no checkpoint yet: start the run again"
            )
            sys.exit(f"{name}: interrupted; {next_step}")

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    help = re.sub(r"(?<=\S)\n(?=\S)", " ", description or "").replace("\n    ", "\n")  # Rich wraps paragraphs
    app.command(cls=ScriptCommand, help=help)(with_parameters(script, options(settings_class)))
    try:
        run_typer(app, name)
    except (RunError, CheckpointError, Diverged) as error:
        sys.exit(f"{name}: {error}")
    except MemoryError as error:
        sys.exit(f"{name}: not enough memory: {error}")


class ScriptCommand(SeveralValues):
    """A command whose ``--help`` is in the first group of its options."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return the option ``--help``."""
        option: Any = super().get_help_option(ctx)
        option.rich_help_panel = START
        return option


def options(settings_class: type[RunSettings]) -> Iterator[Parameter]:
    """Yield the options of a script; ``--game`` and ``--resume`` determine the defaults of the others."""

    def use_settings_of_run(context: typer.Context, folder: Path | None) -> Path | None:
        if folder is not None:
            kept = settings_to_resume(folder, settings_class.command)
            context.default_map = {**(context.default_map or {}), **kept}
        return folder

    for parameter in field_options(settings_class):
        (option,) = parameter.annotation.__metadata__
        if parameter.name == "game":
            option.is_eager, option.callback = True, use_defaults_of_game
        if parameter.name == "resume":
            option.is_eager, option.callback = True, use_settings_of_run
            yield parameter.replace(default=None, annotation=Annotated[Path | None, option])
        else:
            yield parameter


def use_defaults_of_game(context: typer.Context, game: str) -> str:
    defaults = training_of(game_named(check_game(game))).defaults
    context.default_map = {**defaults, **(context.default_map or {})}
    return game


def settings_of(settings_class: type[AnySettings], values: dict[str, Any]) -> AnySettings:
    """Create the settings from the values of the options; raise a ValueError if they are invalid."""
    folder = values["resume"]
    if folder is not None:
        if values["run"] != folder:
            raise RunError("--resume names the run's folder: omit --run")
        if not values["trust"]:
            check_trust(folder, settings_class.agents_in(values))
    settings: AnySettings = made_of_fields(settings_class, values | {"resume": folder is not None})
    return settings
