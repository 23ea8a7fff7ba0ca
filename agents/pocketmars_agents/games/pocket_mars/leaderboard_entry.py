"""A line of the leaderboard: a bot's games on a suite at one level and handicap.

A results file has some 350 bytes for each game, a line of the leaderboard 1.3 bytes.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from pocketmars_agents.arena.results import GameResult, are_numbers, line_of
from pocketmars_agents.arena.results_file import Header
from pocketmars_agents.games.pocket_mars.bench import Row
from pocketmars_env.core.files.reading import parse_json
from pocketmars_env.games.pocket_mars.config import LEVELS
from pocketmars_env.games.pocket_mars.rules.constants import MAX_HANDICAP
from pocketmars_env.replays.replay import is_printable

VERSIONS = ("pocketmars_env", "numpy", "numba", "sources")


@dataclass(frozen=True)
class Entry:
    """A bot's games at one level and handicap. In its line the margins are signed bytes in base64.

    Attributes:
        bot: the bot's name.
        level: the level of Devious Automatics.
        handicap: points added to the score of Devious Automatics.
        margins: for the deals 0, 1, 2, …: the points of the bot minus those of Devious Automatics, the
            handicap included.
        failed: the deals that the bot lost by failing, ascending.
        decisions: the number of the bot's decisions in all games.
        seconds: the time for these decisions.
        versions: the versions in the header of the results file.

    """

    bot: str
    level: str
    handicap: int
    margins: tuple[int, ...]
    failed: tuple[int, ...]
    decisions: int
    seconds: float
    versions: dict[str, str]

    @property
    def key(self) -> tuple[str, str, int]:
        return self.bot, self.level, self.handicap

    def __str__(self) -> str:
        return f"{self.bot}, {self.level}, handicap {self.handicap}"

    def row(self) -> Row:
        """The entry as a row of the benchmark: a game is won with more points, and without failing."""
        deals = range(len(self.margins))
        won = [margin > 0 and deal not in self.failed for deal, margin in enumerate(self.margins)]
        return Row(*self.key, deals, self.margins, won, self.decisions, self.seconds)

    @classmethod
    def of(cls, results: Sequence[GameResult], versions: Header) -> Self:
        """The entry of a bot's games on the first deals of a suite, in order."""
        row = Row.of(results)
        failed = tuple(deal for deal, result in enumerate(results) if result.failure is not None)
        kept = {name: str(versions.get(name)) for name in VERSIONS}
        return cls(
            row.bot, row.level, row.handicap, tuple(row.margins), failed, row.decisions,
            round(row.seconds, 3), kept,
        )  # fmt: skip

    def to_line(self) -> bytes:
        """The entry as a JSON line.

        Raises:
            ValueError: if a margin is not a signed byte.

        """
        if not all(-128 <= margin <= 127 for margin in self.margins):
            raise ValueError(f"{self}: a margin is not in -128..127")
        packed = base64.b64encode(np.array(self.margins, dtype=np.int8).tobytes()).decode()
        return line_of({**vars(self), "margins": packed, "failed": list(self.failed)})

    @classmethod
    def from_line(cls, line: bytes) -> Self:
        """The inverse of `to_line`.

        Raises:
            ValueError: if `line` is not a valid entry.

        """
        try:
            data = parse_json(line)
            margins = np.frombuffer(base64.b64decode(data["margins"], validate=True), dtype=np.int8)
            entry = cls(**{**data, "margins": tuple(margins.tolist()), "failed": tuple(data["failed"])})
            is_sound = entry._is_in_range() and entry.to_line() == line
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not an entry: {error}") from error
        if not is_sound:
            raise ValueError("a value is out of range, or written in another way")
        return entry

    def _is_in_range(self) -> bool:
        return (
            self.bot != ""
            and is_printable(self.bot)
            and self.level in LEVELS
            and len(self.margins) > 0
            and list(self.failed) == sorted({*self.failed} & {*range(len(self.margins))})
            and are_numbers((self.handicap, self.decisions), 2, int)
            and self.handicap <= MAX_HANDICAP
            and are_numbers((self.seconds,), 1, float)
            and list(self.versions) == list(VERSIONS)
            and all(isinstance(version, str) for version in self.versions.values())
        )
