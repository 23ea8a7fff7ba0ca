"""The settings of a run from the command line."""

import argparse
from typing import TypeVar

import tyro

from pocketmars_env.core.game_spec import GAMES
from pocketmars_training.run.game_settings import GameSettings
from pocketmars_training.run.settings import RunSettings

OneSettings = TypeVar("OneSettings", bound=RunSettings)


def given_settings(name: str, description: str | None, kind: type[OneSettings]) -> OneSettings:
    """The settings of the command line; what it does not give has the default for the game.

    Args:
        name: of the script.
        description: of the script, for ``--help``.
        kind: whose fields are the options.

    """
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--game", nargs="?")
    game = parser.parse_known_args()[0].game
    if issubclass(kind, GameSettings) and game in GAMES:
        kind = kind.for_game(game)
    return tyro.cli(kind, prog=name, description=description)
