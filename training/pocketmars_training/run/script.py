"""What every training script does around its run: the command line, and errors in one line."""

import sys
from collections.abc import Callable
from typing import TypeVar

from pocketmars_env.core.files.output import output_errors
from pocketmars_training.run import checkpoints
from pocketmars_training.run.arguments import given_settings
from pocketmars_training.run.checkpoints import CheckpointError
from pocketmars_training.run.run import Run
from pocketmars_training.run.run_folder import RunError
from pocketmars_training.run.settings import LocalSettings

OneSettings = TypeVar("OneSettings", bound=LocalSettings)


def train(
    name: str, description: str | None, kind: type[OneSettings], make_run: Callable[[OneSettings], Run]
) -> None:
    """Runs a training script from the command line; errors end the process with one line.

    Args:
        name: of the script.
        description: of the script, for ``--help``.
        kind: whose fields are the options.
        make_run: makes the run of some settings.

    """
    with output_errors(name):
        settings = given_settings(name, description, kind)
        try:
            run = make_run(settings)
            try:
                run.train()
            finally:
                run.close()
        except (RunError, CheckpointError) as error:
            sys.exit(f"{name}: {error}")
        except KeyboardInterrupt:
            sys.exit(f"{name}: interrupted; {next_step(settings)}")


def next_step(settings: LocalSettings) -> str:
    """How to go on after an interruption."""
    if checkpoints.kept(settings.run):
        return "the same command with --resume goes on"
    return "nothing is kept of an imitation before its end: the same command begins it anew"
