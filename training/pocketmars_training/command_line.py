"""The command ``pocketmars``: the bots' commands, and ``train``."""

import importlib
import sys
from enum import Enum
from importlib.util import find_spec
from typing import Annotated

import typer

from pocketmars_agents.cli.command_line import app, main
from pocketmars_env.core.files.output import fail

SCRIPTS = {
    "solo": ("pocketmars_training.solo", "sb3_contrib", "train"),
    "self-play": ("pocketmars_training.self_play", "sb3_contrib", "train"),
    "da-seat": ("pocketmars_training.da_seat", "sb3_contrib", "train"),
    "all-seats": ("pocketmars_training.all_seats", "sb3_contrib", "train"),
    "expert-iteration": ("pocketmars_training.expert_iteration", "sb3_contrib", "train"),
    "rllib-self-play": ("pocketmars_training.rllib_self_play", "ray.rllib", "rllib"),
}
"""Of each script: its module, a package that it needs, and the extra that installs it."""

Script = Enum("Script", {name: name for name in SCRIPTS}, type=str)  # type: ignore[misc]  # names from above


@app.command(
    add_help_option=False,
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def train(
    context: typer.Context,
    script: Annotated[Script, typer.Argument(help="What to train; --help behind it lists its options.")],
) -> None:
    """Train an agent: pocketmars train solo --help lists the settings of `solo`."""
    name = script.value
    module, needed, extra = SCRIPTS[name]
    if not is_installed(needed):
        fail(f"pocketmars train {name} needs the extra {extra}: pip install 'pocketmars-env[{extra}]'")
    sys.argv = [f"pocketmars train {name}", *context.args]
    importlib.import_module(module).main()


def is_installed(module: str) -> bool:
    """Whether a module, or a submodule of a package, can be imported."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


__all__ = ["app", "main"]
