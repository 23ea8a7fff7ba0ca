"""Verification of bundles: a bundle plays secret deals in a sandbox, and its results become a row."""

import random
import secrets
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pocketmars_agents.arena.match_table import MatchTable
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.runner import run
from pocketmars_agents.arena.workers import Play, hire_processes
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
from pocketmars_agents.ladder.times import with_processor_times
from pocketmars_agents.line_protocol.connection import connection_to
from pocketmars_agents.line_protocol.exec_agent import KIND, ExecAgent
from pocketmars_agents.registry import Agent

SECONDS_PER_DECISION = 1.0
SAMPLE = 12
"""The number of games played twice before the rated games, and of rated games that are played again."""
MAX_DELAY = 0.01
"""Maximum pause in seconds before a decision in a game that is played again."""


class VerificationError(ValueError):
    """Raised if a bundle breaks a limit or a rule, or if its results are not reproducible."""


class GuestTable(MatchTable):
    """A table at which the bot `name` is a program in a sandbox; the first failure ends the verification."""

    def __init__(self, matches: Sequence[Match], name: str, words: Sequence[str], max_delay: float) -> None:
        self._name, self._command, self._max_delay = name, f"{KIND}:{shlex.join(words)}", max_delay
        super().__init__(matches)

    def _agent(self, name: str) -> Agent:
        if name != self._name:
            return super()._agent(name)
        guest = ExecAgent(self._command)
        guest.seconds_per_decision = SECONDS_PER_DECISION
        return guest

    def _act(self, agent: Agent, *decisions: Any) -> None:
        if isinstance(agent, ExecAgent):
            time.sleep(random.uniform(0, self._max_delay))
        super()._act(agent, *decisions)

    def _fail(self, game: int, seat: int, reason: str) -> None:
        raise VerificationError(f"{self.matches[game].bot_at(seat)} failed: {reason}")


@contextmanager
def started(bundle: Bundle, division: Division, max_delay: float = 0.0) -> Iterator[Play]:
    """Yield a function that plays games with the bot of a bundle, which runs in a sandbox meanwhile."""
    with tempfile.TemporaryDirectory() as folder:
        program, root = Path(folder, "program"), Path(folder, "root")
        program.mkdir()
        root.mkdir()
        bundle.unpack(program)
        engine = (sys.executable, "-m", "pocketmars_agents", "engine", POLICY)
        words = sandboxed(bundle.card.command or engine, program, root)
        connection = connection_to(words, division.spec)
        try:
            yield lambda matches: GuestTable(matches, bundle.card.name, words, max_delay).play()
        finally:
            connection.close()


def check_reproducible(bundle: Bundle, division: Division, row: Row) -> float:
    """Play a sample of games twice before the others; return the bot's mean time per decision in seconds."""
    opponents = list(division.opponents.items())
    matches = [
        row.match(division, *opponents[i % len(opponents)], number=GAMES + i)  # not among the rated games
        for i in range(SAMPLE)
    ]
    matches.sort(key=lambda match: match.bots)
    with started(bundle, division) as play:
        results = run(matches, hire_processes(1, play))
    check_same(bundle, division, results[::-1])
    sample = Cell.of("", results)
    return sample.seconds[0] / max(1, sample.decisions[0])


def check_same(bundle: Bundle, division: Division, results: Sequence[GameResult]) -> None:
    """Play games again, one after the other and with pauses, and compare the actions."""
    with started(bundle, division, MAX_DELAY) as play:
        for result in results:
            (again,) = play([result.match])
            if again.actions != result.actions:
                raise VerificationError(
                    f"{bundle.card.name} is not reproducible: it plays the same game in different ways. Its "
                    "actions must depend only on the decision and its seed"
                )


def row_of(bundle: Bundle, secret: str) -> Row:
    """Return the row of a bundle without results."""
    card, division = bundle.card, division_named(bundle.card.division)
    texts = {"author": card.author, "license": card.license, "description": card.description}
    return new_row(card.name, division, **texts, bundle=bundle.digest, secret=secret)


def verify(bundle: Bundle, folder: Path, most_games: int = GAMES) -> Iterator[Cell | Row]:
    """Play the games of a new entry: yield its cells, and then its row."""
    division, row = division_named(bundle.card.division), row_of(bundle, secrets.token_hex(32))
    rows = read_rows(folder, division)
    check_name(row, rows)
    if any(known.bundle == bundle.digest for known in rows):
        raise VerificationError(f"{row.name} is in the ladder already; --again plays its games again")
    check_sandbox()
    seconds = check_reproducible(bundle, division, row)
    games = min(most_games, GAMES_OF_SLOW_BOTS if seconds > SLOW else GAMES)
    yield from played(bundle, division, row, dict.fromkeys(division.opponents, games))


def again(bundle: Bundle, folder: Path) -> Iterator[Cell | Row]:
    """Play the games of an entry again, with the recorded secret, and compare the results."""
    division = division_named(bundle.card.division)
    known = next((row for row in read_rows(folder, division) if row.bundle == bundle.digest), None)
    if known is None:
        raise VerificationError(f"this bundle is not in the ladder: {bundle.card.name}, {bundle.digest}")
    check_sandbox()
    row = row_of(bundle, known.secret)
    for piece in played(bundle, division, row, {cell.opponent: cell.games for cell in known.cells}):
        if isinstance(piece, Row) and piece.without_times() != known.without_times():
            raise VerificationError(f"the results of {row.name} are not those in the ladder")
        yield piece


def played(bundle: Bundle, division: Division, row: Row, games: Mapping[str, int]) -> Iterator[Cell | Row]:
    """Play the given number of games against each of the given opponents, and some of them again."""
    cells, results = list[Cell](), list[GameResult]()
    with started(bundle, division) as play:
        hire = hire_processes(1, with_processor_times(play))
        for opponent, count in games.items():
            config = division.opponents[opponent]
            matches = [row.match(division, opponent, config, number) for number in range(count)]
            results += run(matches, hire)
            cells.append(Cell.of(opponent, results[-count:]))
            yield cells[-1]
    check_same(bundle, division, random.sample(results, min(SAMPLE, len(results))))
    yield replace(row, cells=tuple(cells)).signed()
