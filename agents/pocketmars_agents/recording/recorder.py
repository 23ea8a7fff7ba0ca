"""Plays the games of a plan and writes the dataset atomically."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path

from pocketmars_agents.arena.workers import Hire
from pocketmars_agents.recording.games import RecordedGame, RecordingError, recorded_games
from pocketmars_agents.recording.minari_format import MinariWriter
from pocketmars_agents.recording.parquet_format import ParquetWriter
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays
from pocketmars_agents.recording.unfinished import remove_unfinished, unfinished_games
from pocketmars_env.core.files.writing import whole_folder
from pocketmars_env.core.settings import check_choice

FORMATS = ("minari", "parquet", "both")
GAMES_AT_ONCE = 128
"""The number of games held in memory together."""


def writers_of(
    folder: Path, plan: Plan, format: str, has_observations: bool
) -> list[MinariWriter | ParquetWriter]:
    """The writers of a format, one of `FORMATS`; they write into `folder`."""
    writers: list[MinariWriter | ParquetWriter] = []
    if format != "parquet":
        writers.append(MinariWriter(folder, plan))
    if format != "minari":
        writers.append(ParquetWriter(folder, plan, has_observations))
    return writers


def record(
    plan: Plan, out: Path, hire: Hire, format: str = "minari", has_observations: bool = False
) -> Generator[RecordedGame, None, None]:
    """Play and write all games of a plan; yields them as they are written.

    The dataset appears in its place after the last game. Until then, finished games are saved in a file
    next to it. The next recording of the same plan resumes from this file, even after a killed process.

    Args:
        plan: the games to record.
        out: the folder of datasets, such as Minari's; the dataset is written to ``out/plan.dataset_id``.
        hire: starts the workers, which play with `play_and_record`.
        format: ``"minari"``, ``"parquet"`` or ``"both"``.
        has_observations: whether the Parquet table also has observations and masks.

    Raises:
        ValueError: if the dataset exists already, a library is not installed, or the file of finished
            games is damaged or from another version.
        RecordingError: if a bot fails or the files cannot be written.
        WorkersError: if the workers fail.

    """
    check_choice("format", format, FORMATS)
    place = out / plan.dataset_id
    if place.exists():
        remove_unfinished(place)
        raise ValueError(f"{place} exists already: give another --name, or remove it")
    with errors_named(place), unfinished_games(place, plan.spec) as kept, whole_folder(place) as folder:
        writers = writers_of(folder, plan, format, has_observations)
        try:
            with closing(recorded_games(list(plan.matches()), hire, kept)) as games:
                for first, group in in_groups(games):
                    replays = Replays(group, first)
                    for writer in writers:
                        writer.write(replays)
                    yield from group
            for writer in writers:
                writer.finish()
        except BaseException:
            for writer in writers:
                with suppress(OSError, RuntimeError):  # closing fails again on a full disk
                    writer.close()
            raise


def in_groups(games: Iterable[RecordedGame]) -> Iterator[tuple[int, list[RecordedGame]]]:
    """Groups of `GAMES_AT_ONCE` games, each with the number of its first game."""
    waiting, first = iter(games), 0
    while group := list(islice(waiting, GAMES_AT_ONCE)):
        yield first, group
        first += len(group)


@contextmanager
def errors_named(place: Path) -> Iterator[None]:
    """Raise an OSError as a RecordingError that names the dataset."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"cannot write {place}: {error}") from error
