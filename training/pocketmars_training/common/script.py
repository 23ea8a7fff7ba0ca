"""The command line of the training scripts, with one-line error messages."""

import argparse
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import tyro

from pocketmars_env.core.files.output import output_errors
from pocketmars_env.core.game_spec import GAMES
from pocketmars_training.common import checkpoints
from pocketmars_training.common.checkpoints import CheckpointError
from pocketmars_training.common.network import Diverged
from pocketmars_training.common.run import Run
from pocketmars_training.common.run_folder import RunError, check_trust, settings_to_resume
from pocketmars_training.common.settings import RunSettings

AnySettings = TypeVar("AnySettings", bound=RunSettings)


def run_script(
    name: str,
    description: str | None,
    settings_class: type[AnySettings],
    new_run: Callable[[AnySettings], Run],
) -> None:
    """Run a training script from the command line; after an expected error, exit with a one-line message."""
    with output_errors(name):
        try:
            settings = parse_settings(name, description, settings_class)
        except RunError as error:
            sys.exit(f"{name}: {error}")
        try:
            with closing(new_run(settings)) as run:
                run.train()
        except (RunError, CheckpointError, Diverged) as error:
            sys.exit(f"{name}: {error}")
        except MemoryError as error:
            sys.exit(f"{name}: not enough memory: {error}")
        except KeyboardInterrupt:
            has_checkpoint = bool(checkpoints.kept(settings.run))
            next_step = (
                f"continue with --resume {settings.run}"
                if has_checkpoint
                else "there is no checkpoint yet: start the run again"
            )
            sys.exit(f"{name}: interrupted; {next_step}")


def parse_settings(name: str, description: str | None, settings_class: type[AnySettings]) -> AnySettings:
    """Parse the command line; ``--game`` and ``--resume`` determine the defaults of the other settings."""
    parser = argparse.ArgumentParser(name, add_help=False, allow_abbrev=False)
    parser.add_argument("--game", nargs="?")
    parser.add_argument("--resume", type=Path)
    parser.add_argument("--trust", action="store_true")
    known, words = parser.parse_known_args()
    if known.resume:
        if any(word.split("=")[0] == "--run" for word in words):
            raise RunError("--resume names the run's folder: omit --run")
        kept = settings_to_resume(known.resume)
        if not known.trust:
            check_trust(known.resume, settings_class.agents_in(kept))
        settings_class = settings_class.with_defaults(kept)
    elif known.game in GAMES:
        settings_class = settings_class.for_game(known.game)
    if known.trust:
        words.append("--trust")
    if known.game:
        words += ["--game", known.game]
    settings: AnySettings = tyro.cli(settings_class, prog=name, description=description, args=words)
    return settings
