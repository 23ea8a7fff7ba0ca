"""Verification of bundles: a bundle plays secret deals in a sandbox, and its results become a row."""

import random
import secrets
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import numpy as np
from msgspec.structs import replace

from pocketmars_agents.arena.match_table import MatchTable
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.ladder.bundle import POLICY, Bundle
from pocketmars_agents.ladder.division import Division
from pocketmars_agents.ladder.rows import (
    GAMES,
    GAMES_OF_SLOW_BOTS,
    SLOW,
    Cell,
    Row,
    check_name,
    division_named,
    new_row,
    read_rows,
)
from pocketmars_agents.ladder.sandbox import check_sandbox, sandboxed
from pocketmars_agents.line_protocol.connection import connection_to
from pocketmars_agents.line_protocol.exec_agent import KIND, ExecAgent
from pocketmars_agents.registry import Agent
from pocketmars_env.core.game import View

SECONDS_PER_DECISION = 1.0
SAMPLE = 12
"""The number of games that are played twice before the others, to see whether the answers are the same."""
LIST = 50
"""The number of games that are played at once."""
MAX_DELAY = 0.01
"""Maximum pause in seconds before a decision when the sample is played again."""


class VerificationError(ValueError):
    """Raised if a bundle breaks a limit or a rule, or if its results are not reproducible."""


class Guest(ExecAgent):
    """The bot of a bundle, which runs in a sandbox.

    Args:
        name: the name of the entry.
        words: the command that starts the sandbox.
        max_delay: the maximum pause before each decision, in seconds.

    """

    def __init__(self, name: str, words: Sequence[str], max_delay: float) -> None:
        super().__init__(f"{KIND}:{shlex.join(words)}")
        self.name = name
        self.seconds_per_decision = SECONDS_PER_DECISION
        self._max_delay = max_delay

    def act(self, view: View, rng: np.random.Generator) -> int:
        """Return the bot's action; raise a ProtocolError if the bot fails."""
        if self._max_delay:
            time.sleep(random.uniform(0, self._max_delay))
        return super().act(view, rng)


class GuestTable(MatchTable):
    """A table at which one of the bots is a `Guest`."""

    def __init__(self, matches: Sequence[Match], guest: tuple[str, Sequence[str], float]) -> None:
        self._guest = guest
        super().__init__(matches)

    def _agent(self, name: str) -> Agent:
        return Guest(*self._guest) if name == self._guest[0] else super()._agent(name)


class Session:
    """A process of a bundle, which ends with the `with` block of `session`."""

    def __init__(self, bundle: Bundle, words: Sequence[str], max_delay: float) -> None:
        self._guest = bundle.card.name, words, max_delay

    def play(self, matches: Sequence[Match]) -> Iterator[GameResult]:
        """Yield the results of matches; raise a `VerificationError` if the bundle's bot fails."""
        for _, group in groupby(matches, lambda match: (match.config, match.bots)):
            waiting = list(group)
            while waiting:
                for result in GuestTable(waiting[:LIST], self._guest).play():
                    if result.failure is not None:
                        raise VerificationError(f"{self._guest[0]} failed: {result.failure.reason}")
                    yield result
                del waiting[:LIST]


@contextmanager
def session(bundle: Bundle, division: Division, max_delay: float = 0.0) -> Iterator[Session]:
    """Start the bot of a bundle in a sandbox, and end it after the block."""
    with tempfile.TemporaryDirectory() as folder:
        program, root = Path(folder, "program"), Path(folder, "root")
        program.mkdir()
        root.mkdir()
        bundle.unpack(program)
        engine = (sys.executable, "-m", "pocketmars_agents", "engine", POLICY)
        words = sandboxed(bundle.card.command or engine, program, root)
        try:
            yield Session(bundle, words, max_delay)
        finally:
            connection_to(words, division.spec).close()


def check_reproducible(bundle: Bundle, division: Division, row: Row) -> float:
    """Play a sample of games twice, in another order, and compare the actions.

    Return the bot's mean time per decision in seconds.
    """
    opponents = list(division.opponents.items())
    matches = [
        row.match(division, *opponents[i % len(opponents)], number=GAMES + i)  # not among the rated games
        for i in range(SAMPLE)
    ]
    matches.sort(key=lambda match: match.bots)
    with session(bundle, division) as first:
        once = {result.match: result for result in first.play(matches)}
    with session(bundle, division, MAX_DELAY) as second:
        for match in reversed(matches):
            (again,) = second.play([match])
            if again.actions != once[match].actions:
                raise VerificationError(
                    f"{row.name} is not reproducible: it plays the same game in different ways. Its actions "
                    "must depend only on the decision and its seed"
                )
    own = [(result, result.match.seat_of(0)) for result in once.values()]
    decisions = sum(result.decisions[seat] for result, seat in own)
    return sum(result.seconds[seat] for result, seat in own) / max(1, decisions)


def row_of(bundle: Bundle, secret: str = "") -> Row:
    """Return the row of a bundle without results, with a new secret if none is given."""
    card = bundle.card
    return new_row(
        card.name,
        division_of(bundle),
        datetime.now(UTC).date().isoformat(),
        author=card.author,
        license=card.license,
        description=card.description,
        bundle=bundle.digest,
        secret=secret or secrets.token_hex(32),
    )


def division_of(bundle: Bundle) -> Division:
    return division_named(bundle.card.division)


def verify(bundle: Bundle, folder: Path, most_games: int = GAMES) -> Iterator[Cell | Row]:
    """Play the games of a new entry: yield its cells, and then its row."""
    division, row = division_of(bundle), row_of(bundle)
    rows = read_rows(folder, division)
    check_name(row, rows)
    if any(known.bundle == bundle.digest for known in rows):
        raise VerificationError(f"{row.name} is in the ladder already; --again plays its games again")
    check_sandbox()
    seconds = check_reproducible(bundle, division, row)
    games = min(most_games, GAMES_OF_SLOW_BOTS if seconds > SLOW else GAMES)
    yield from played(bundle, row, dict.fromkeys(division.opponents, games))


def again(bundle: Bundle, folder: Path) -> Iterator[Cell | Row]:
    """Play the games of an entry again, with the recorded secret, and compare the results."""
    division = division_of(bundle)
    known = next((row for row in read_rows(folder, division) if row.name == bundle.card.name), None)
    if known is None or known.bundle != bundle.digest:
        raise VerificationError(f"this bundle is not in the ladder: {bundle.card.name}, {bundle.digest}")
    check_sandbox()
    row = row_of(bundle, known.secret)
    for piece in played(bundle, row, {cell.opponent: len(cell.packed) for cell in known.cells}):
        if isinstance(piece, Row) and piece.without_times() != known.without_times():
            raise VerificationError(f"the results of {row.name} are not those in the ladder")
        yield piece


def played(bundle: Bundle, row: Row, games: Mapping[str, int]) -> Iterator[Cell | Row]:
    """Play the given number of games against each of the given opponents."""
    division = division_of(bundle)
    cells = []
    with session(bundle, division) as guest:
        for opponent, count in games.items():
            config = division.opponents[opponent]
            matches = [row.match(division, opponent, config, number) for number in range(count)]
            cells.append(Cell.of(opponent, list(guest.play(matches))))
            yield cells[-1]
    yield replace(row, cells=tuple(cells)).signed()
