"""The command ``pocketmars``: the subcommands of `pocketmars_agents`, ``train``, ``plot`` and ``exploit``."""

import importlib
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pocketmars_agents.arena.plots import check_plot
from pocketmars_agents.cli.command_line import app_of
from pocketmars_agents.cli.command_options import errors_of, run_typer
from pocketmars_env.core.errors import how_to_install
from pocketmars_env.core.files.output import fail
from pocketmars_env.core.game_spec import default_game
from pocketmars_training.common.learning_curves import curves_of, plot_curves


class Script(NamedTuple):
    """A training script that a subcommand runs."""

    help: str
    needs: str = "sb3_contrib"  # a package that the script imports
    extra: str = "train"  # the extra that installs this package


SCRIPTS = {
    "solo": Script("Train an agent against Devious Automatics."),
    "self-play": Script("Train one agent for 2 to 4 players with self-play."),
    "da-seat": Script("Train an agent for the seat of Devious Automatics."),
    "self-play-ppo": Script("Train with self-play PPO, or fine-tune a policy."),
    "device-ppo": Script("Train with self-play PPO and games on a GPU."),
    "expert-iteration": Script("Improve a policy by learning from its own search."),
    "rllib-self-play": Script("Train an agent on a Ray cluster, with RLlib.", "ray.rllib", "rllib"),
}
"""The scripts of ``pocketmars train``, by subcommand; module names have underscores instead of hyphens."""
EXPLOIT = Script("Look for a best response to a policy.")

HELP = """Train an agent; a script's --help lists its settings.

Example: `pocketmars train solo --run runs/solo`
"""


def module_of(name: str) -> str:
    """Return the name of the module that contains a subcommand's script."""
    return f"pocketmars_training.{name.replace('-', '_')}"


def run(context: typer.Context) -> None:
    """Run the script of the invoked subcommand with the remaining command-line arguments."""
    name = str(context.info_name)
    _, needs, extra = SCRIPTS.get(name, EXPLOIT)
    command = f"pocketmars train {name}" if name in SCRIPTS else f"pocketmars {name}"
    if not is_installed(needs):
        fail(f"{command} needs {needs}; {how_to_install(extra)}")
    game = context.find_root().params.get("game") or default_game().name  # pocketmars --game GAME train ...
    sys.argv = [command, *([] if game == default_game().name else ["--game", game]), *context.args]
    importlib.import_module(module_of(name)).main()


def plot(
    runs: Annotated[
        list[Path], typer.Argument(help="Run folders, or CSV files with the columns decisions and win_rate.")
    ],
    out: Annotated[Path, typer.Option(help="The plot: .png, .svg or .pdf.")] = Path("curves.png"),
) -> None:
    """Plot the learning curves of training runs.

    Example: `pocketmars plot runs/solo --out curves.svg`
    """
    with errors_of("plot", None):
        check_plot(out)
        plot_curves(out, [curve for run in runs for curve in curves_of(run)])
    typer.echo(f"plot: {out}")


def is_installed(module: str) -> bool:
    """Return whether a module or submodule is installed."""
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is not installed
        return False


def full_app() -> typer.Typer:
    """Return the Typer app with all subcommands."""
    parsed_by_script = {"allow_extra_args": True, "ignore_unknown_options": True}
    app, train = app_of(default_game()), typer.Typer(no_args_is_help=True, rich_markup_mode=None)
    app.add_typer(train, name="train", help=HELP)
    for name, script in SCRIPTS.items():
        train.command(name, help=script.help, add_help_option=False, context_settings=parsed_by_script)(run)
    app.command("plot")(plot)
    app.command("exploit", help=EXPLOIT.help, add_help_option=False, context_settings=parsed_by_script)(run)
    return app


def main() -> None:
    """Run the command ``pocketmars`` (the console entry point)."""
    run_typer(full_app(), "pocketmars")
