"""What a bot has done on a suite at one level and handicap, in a line short enough for the repository."""

import base64
from collections.abc import Sequence
from dataclasses import dataclass

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
    """A bot at one level and handicap. In its line the margins are signed bytes in base64.

    Attributes:
        bot: its name.
        level: of Devious Automatics.
        handicap: points added to the score of Devious Automatics.
        margins: of the deals 0, 1, 2, …: the points of the bot minus those of Devious Automatics, the
            handicap included.
        failed: the deals that it lost by failing, ascending.
        decisions: answers in all games.
        seconds: time they took.
        versions: with which they were played.

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

    @property
    def title(self) -> str:
        """The key in words, for messages."""
        return f"{self.bot}, {self.level}, handicap {self.handicap}"

    def row(self) -> Row:
        """The entry as a row of the benchmark: a game is won with more points, and without failing."""
        deals = range(len(self.margins))
        won = [margin > 0 and deal not in self.failed for deal, margin in enumerate(self.margins)]
        return Row(
            self.bot, self.level, self.handicap, deals, self.margins, won, self.decisions, self.seconds
        )

    @classmethod
    def of(cls, results: Sequence[GameResult], versions: Header) -> "Entry":
        """The entry of a bot's games at a level and a handicap: on the first deals of a suite, in order."""
        row = Row.of(results)
        failed = tuple(deal for deal, result in enumerate(results) if result.failure is not None)
        kept = {name: str(versions.get(name)) for name in VERSIONS}
        seconds = round(row.seconds, 3)
        margins = tuple(row.margins)
        return cls(row.bot, row.level, row.handicap, margins, failed, row.decisions, seconds, kept)

    def to_line(self) -> bytes:
        """The entry as a line of the file.

        Raises:
            ValueError: if a margin is not a signed byte.

        """
        if not all(-128 <= margin <= 127 for margin in self.margins):
            raise ValueError(f"{self.bot}: a margin is out of -128..127")
        packed = base64.b64encode(np.array(self.margins, dtype=np.int8).tobytes()).decode()
        return line_of({**vars(self), "margins": packed, "failed": list(self.failed)})

    @classmethod
    def from_line(cls, line: bytes) -> "Entry":
        """The entry of a line that `to_line` wrote.

        Raises:
            ValueError: if the line is anything else.

        """
        try:
            data = parse_json(line)
            margins = np.frombuffer(base64.b64decode(data["margins"], validate=True), dtype=np.int8)
            lists = {"margins": tuple(margins.tolist()), "failed": tuple(data["failed"])}
            entry = cls(**{**data, **lists})
            entry.check()
            is_same = entry.to_line() == line
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"not an entry: {error}") from error
        if not is_same:
            raise ValueError("a value is written in another way")
        return entry

    def check(self) -> None:
        """Raise a ValueError that names what is out of its range."""
        deals = range(len(self.margins))
        if not is_printable(self.bot) or self.level not in LEVELS or not deals:
            raise ValueError("it needs a bot, a level and games")
        if not are_numbers((self.handicap,), 1, int) or self.handicap > MAX_HANDICAP:
            raise ValueError(f"handicap must be an integer in 0..{MAX_HANDICAP}")
        if list(self.failed) != sorted({*self.failed} & {*deals}):
            raise ValueError("failed must be deals that were played, ascending")
        if not are_numbers((self.decisions,), 1, int) or not are_numbers((self.seconds,), 1, float):
            raise ValueError("decisions must be an integer and seconds a number, of at least 0")
        is_text = all(isinstance(version, str) for version in self.versions.values())
        if list(self.versions) != list(VERSIONS) or not is_text:
            raise ValueError(f"versions must name {', '.join(VERSIONS)}")
