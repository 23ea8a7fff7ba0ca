"""The command ``pocketmars``: the bots' commands, and ``train``."""

import importlib
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import typer

from pocketmars_agents.cli.command_line import app, main
from pocketmars_env.core.files.output import fail


class Script(NamedTuple):
    """A training script.

    Attributes:
        module: its full name.
        needs: a package that it cannot do without.
        extra: what installs that package.
        help: what it trains.

    """

    module: str
    needs: str
    extra: str
    help: str


SCRIPTS = {
    "solo": Script(
        "pocketmars_training.solo",
        "sb3_contrib",
        "train",
        "An agent for the player's seat against Devious Automatics.",
    ),
    "self-play": Script(
        "pocketmars_training.self_play",
        "sb3_contrib",
        "train",
        "One agent for 2, 3 and 4 players, against bots and its own past.",
    ),
    "da-seat": Script(
        "pocketmars_training.da_seat",
        "sb3_contrib",
        "train",
        "An agent for the choices of Devious Automatics.",
    ),
    "all-seats": Script(
        "pocketmars_training.all_seats",
        "sb3_contrib",
        "train",
        "A trained policy further, with PPO from every seat.",
    ),
    "expert-iteration": Script(
        "pocketmars_training.expert_iteration",
        "sb3_contrib",
        "train",
        "A trained policy further, from a search that it guides.",
    ),
    "rllib-self-play": Script(
        "pocketmars_training.rllib_self_play",
        "ray.rllib",
        "rllib",
        "One agent for 2, 3 and 4 players on a Ray cluster, with RLlib.",
    ),
}
"""By the name that the command has for it."""

train = typer.Typer(no_args_is_help=True, rich_markup_mode=None)
app.add_typer(train, name="train", help="Train an agent; --help behind a script lists its settings.")


def command_of(name: str, script: Script) -> Callable[[typer.Context], None]:
    """What runs a script with the options behind its name."""

    def run(context: typer.Context) -> None:
        if not is_installed(script.needs):
            fail(
                f"pocketmars train {name} needs the extra {script.extra}: "
                f"pip install 'pocketmars-env[{script.extra}]'"
            )
        sys.argv = [f"pocketmars train {name}", *context.args]
        importlib.import_module(script.module).main()

    return run


def is_installed(module: str) -> bool:
    """Whether a module, or a submodule of a package, can be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


for name, script in SCRIPTS.items():
    options = {"allow_extra_args": True, "ignore_unknown_options": True}  # the script reads them
    add = train.command(name, help=script.help, add_help_option=False, context_settings=options)
    add(command_of(name, script))

__all__ = ["app", "main"]
