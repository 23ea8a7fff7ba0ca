"""Keeps the finished games of a recording until its data set is complete."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_agents.recording.games import RecordedGame
from pocketmars_env.core.game_spec import GameSpec

SUFFIX = ".unfinished.jsonl"


def unfinished_path(place: Path) -> Path:
    """The file beside a data set that keeps its games."""
    return place.with_name(place.name + SUFFIX)


@contextmanager
def unfinished_games(place: Path, spec: GameSpec) -> Iterator[ResultsFile[RecordedGame]]:
    """The games of a data set that an earlier recording has finished; those of this one are added.

    The file is removed when the data set is in its place, or when it has no games.

    Raises:
        OSError: if the folder cannot be made.
        ResultsError: if the file cannot be used.

    """
    path = unfinished_path(place)
    is_new_folder = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    file = ResultsFile(path, RecordedGame, spec)
    try:
        yield file
    finally:
        file.close()
        if place.exists() or not file.size:
            remove_unfinished(place)
            if is_new_folder:
                with suppress(OSError):  # it holds the data set
                    path.parent.rmdir()


def remove_unfinished(place: Path) -> None:
    """Remove the file beside a data set, if it is there."""
    unfinished_path(place).unlink(missing_ok=True)
