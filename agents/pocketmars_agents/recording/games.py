"""Plays games and stores their results with all actions."""

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass

from pocketmars_agents.arena.match_batch import MatchBatch
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_agents.arena.runner import finished_games_of
from pocketmars_agents.arena.workers import Hire


class RecordingError(RuntimeError):
    """The games could not be recorded. The next recording resumes from the finished games."""


@dataclass(frozen=True)
class RecordedGame(GameResult):
    """A finished game without a bot failure, with all its actions."""

    actions: tuple[int, ...] = ()

    def check(self) -> None:
        """Raise a ValueError that names an invalid value."""
        super().check()
        if self.failure is not None or not all(type(action) is int for action in self.actions):
            raise ValueError("a recorded game has no failure, and integers for actions")
        if len(self.actions) != sum(self.decisions):
            raise ValueError(f"{sum(self.decisions)} decisions, but {len(self.actions)} actions")


def play_and_record(matches: Sequence[Match]) -> list[GameResult]:
    """Play games of one configuration together; returns a `RecordedGame` for each.

    Raises:
        RecordingError: if a bot fails, because such a game has no result.

    """
    results = MatchBatch(matches).play()
    for result in results:
        if result.failure is not None:
            bot = result.match.bot_at(result.failure.seat)
            raise RecordingError(
                f"{bot} failed in the game of seed {result.match.seed}: {result.failure.reason}"
            )
    return [RecordedGame(**vars(result)) for result in results]


def recorded_games(
    matches: Sequence[Match], hire: Hire, kept: ResultsFile[RecordedGame]
) -> Generator[RecordedGame, None, None]:
    """Play games and yield them in the order of `matches`, for any number of workers.

    Args:
        matches: different games.
        hire: starts the workers, which play with `play_and_record`.
        kept: the file of finished games; new ones are added.

    Raises:
        RecordingError: if a bot fails.
        WorkersError: if the workers fail.

    """
    early: dict[Match, RecordedGame] = {}
    waiting = iter(matches)
    wanted = next(waiting, None)
    with closing(finished_games_of(matches, hire, kept)) as results:
        for result in results:
            early[result.match] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted = next(waiting, None)
