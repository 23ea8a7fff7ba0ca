"""The command line of a training script, and its errors in one line."""

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar

import tyro

from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import GAMES
from pocketmars_training.common import checkpoints
from pocketmars_training.common.checkpoints import CheckpointError
from pocketmars_training.common.run import Run
from pocketmars_training.common.run_folder import RunError
from pocketmars_training.common.settings import GameSettings, RunSettings

AnySettings = TypeVar("AnySettings", bound=RunSettings)


def run_script(
    name: str, description: str | None, kind: type[AnySettings], new_run: Callable[[AnySettings], Run]
) -> None:
    """Run a training script from the command line; errors end the process with one line.

    Args:
        name: the script's name, for messages.
        description: the text of ``--help``.
        kind: the settings class; its fields are the options.
        new_run: creates the run with these settings.

    """
    with output_errors(name):
        settings = parse_settings(name, description, kind)
        try:
            with closing(new_run(settings)) as run:
                run.train()
        except (RunError, CheckpointError) as error:
            sys.exit(f"{name}: {error}")
        except KeyboardInterrupt:
            has_checkpoint = bool(checkpoints.kept(settings.run))
            next_step = (
                "continue with --resume" if has_checkpoint else "there is no checkpoint yet, start again"
            )
            sys.exit(f"{name}: interrupted; {next_step}")


def parse_settings(name: str, description: str | None, kind: type[AnySettings]) -> AnySettings:
    """Read the settings from the command line; ``--game`` decides the defaults of the others."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--game", nargs="?")
    game = parser.parse_known_args()[0].game
    if issubclass(kind, GameSettings) and game in GAMES:
        kind = kind.for_game(game)
    return tyro.cli(kind, prog=name, description=description)
