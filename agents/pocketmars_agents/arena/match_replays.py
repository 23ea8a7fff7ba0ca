"""Replay files of finished matches, one per match."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_env.core.game_spec import Config, spec_of
from pocketmars_env.core.presentation.presenting import presentation_of
from pocketmars_env.core.settings import check_choice
from pocketmars_env.replays import Replay, ReplayError

WHICH = ("all", "won", "lost")
AUTOMATON = "automaton"
MOST_LETTERS = 32
"""Maximum length of a bot's name in a file name, in characters; only the end of a longer name is used."""


@dataclass
class ReplayFolder:
    """A folder for the replays of finished games."""

    path: Path  # created when the first replay is saved
    which: str = WHICH[0]  # all games, or those that the first bot of the line-up has won or lost

    def __post_init__(self) -> None:
        check_choice("replays-of", self.which, WHICH)
        if self.path.exists() and not self.path.is_dir():
            raise ValueError(f"{self.path} exists and is not a folder")

    def keep(self, result: GameResult) -> None:
        """Write the replay of a game if `which` selects this game."""
        if self.which not in ("all", outcome(result)):
            return
        path = self.path / file_name(result)
        try:
            replay_of(result).save(path)
        except OSError as error:
            raise ReplayError(f"cannot write {path}: {error.strerror or error}") from error


def outcome(result: GameResult) -> str:
    """Return ``"won"`` if the first bot of the line-up won or shared the win, and ``"lost"`` otherwise."""
    return "won" if result.match.seat_of(0) in result.winners else "lost"


def replay_of(result: GameResult) -> Replay:
    """Return the replay of a game; its title names the players, the settings and, if a bot failed, this bot.

    The title does not contain the reason for the failure, because the reason can name hidden cards.
    """
    match = result.match
    names = names_of(match)
    title = ", ".join([title_of(match.config, names), *variant_of(match.config)])
    if result.failure is not None:
        title += f" ({names[result.failure.seat]} failed)"
    return Replay(match.config, {"seed": match.seed}, result.actions, names, title)


def title_of(config: Config, names: Sequence[str]) -> str:
    """Return the given names, joined by "against" in a solo game and by commas in other games."""
    return (" against " if config.players == 1 else ", ").join(names)


def variant_of(config: Config) -> tuple[str, ...]:
    """Return labels of important settings other than the number of players, such as ``handicap 3``."""
    return presentation_of(spec_of(config)).variant(config)


def kind_of(config: Config) -> str:
    """Return the settings as part of a file name, e.g. ``cyborg_handicap-3`` (solo) or ``3-players``."""
    variant = [words.replace(" ", "-") for words in variant_of(config)]
    return "_".join(variant if config.players == 1 and variant else [f"{config.players}-players", *variant])


def names_of(match: Match) -> tuple[str, ...]:
    """Return the name of the bot or automaton in each seat."""
    names = [match.bot_at(seat) for seat in range(len(match.bots))]
    return (*names, *[AUTOMATON] * (match.config.seats - len(names)))


def file_name(result: GameResult) -> str:
    """Return the file name of a replay, e.g. ``greedy_cyborg_seed-1_lost_0123abcd.json``.

    The last part is a hash of the match.
    """
    match, kind = result.match, kind_of(result.match.config)
    bots = "-".join(re.sub(r"[^\w.]+", ".", bot)[-MOST_LETTERS:] for bot in match.bots)
    rotation = f"_rotation-{match.rotation}" if match.config.players > 1 else ""
    digest = hashlib.sha256(json.dumps(match.as_dict()).encode()).hexdigest()[:8]
    return f"{bots}_{kind}_seed-{match.seed}{rotation}_{outcome(result)}_{digest}.json"
