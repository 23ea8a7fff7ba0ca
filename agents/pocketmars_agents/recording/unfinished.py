"""Saves the finished games of a recording until its dataset is complete."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_agents.recording.games import RecordedGame
from pocketmars_env.core.game_spec import GameSpec

SUFFIX = ".unfinished.jsonl"


def unfinished_path(place: Path) -> Path:
    """The path of the file with finished games, next to the dataset."""
    return place.with_name(place.name + SUFFIX)


@contextmanager
def unfinished_games(place: Path, spec: GameSpec) -> Iterator[ResultsFile[RecordedGame]]:
    """The file of finished games: those of an interrupted recording; new ones are added.

    On exit the file is removed if the dataset is complete or the file has no games.

    Raises:
        OSError: if the folder cannot be created.
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
                with suppress(OSError):  # the folder contains the dataset
                    path.parent.rmdir()


def remove_unfinished(place: Path) -> None:
    """Remove the file of finished games if it exists."""
    unfinished_path(place).unlink(missing_ok=True)
