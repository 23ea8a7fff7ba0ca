"""Records games: plays them, and puts the data set in its place when it is complete."""

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
"""Games that are in memory together."""


class Writers:
    """Writes the formats that are wanted into a folder.

    Args:
        folder: the data set's, which nobody else uses.
        plan: what is recorded.
        format: one of `FORMATS`.
        has_observations: whether the table has observations and masks too.

    """

    def __init__(self, folder: Path, plan: Plan, format: str, has_observations: bool) -> None:
        self._minari = MinariWriter(folder, plan) if format != "parquet" else None
        self._parquet = ParquetWriter(folder, plan, has_observations) if format != "minari" else None

    def write(self, replays: Replays) -> None:
        """Add games."""
        if self._minari:
            for replay in replays:
                self._minari.write(replay)
        if self._parquet:
            self._parquet.write(replays)

    def finish(self) -> None:
        """Complete all files."""
        for writer in self._all():
            writer.finish()

    def abandon(self) -> None:
        """Close all files as they are: they are about to be removed."""
        for writer in self._all():
            with suppress(OSError, RuntimeError):  # a full disk is met again
                writer.abandon()

    def _all(self) -> list[MinariWriter | ParquetWriter]:
        return [writer for writer in (self._minari, self._parquet) if writer]


def record(
    plan: Plan, out: Path, hire: Hire, format: str = "minari", has_observations: bool = False
) -> Generator[RecordedGame, None, None]:
    """Play and write all games of a plan; yields them as they are written.

    The data set is put in its place after the last game. Until then the finished games are kept in a file
    beside it, with which the next recording of the same plan continues, even after a process was killed.

    Args:
        plan: what is recorded.
        out: the folder of data sets, such as Minari's; the data set comes into ``out/plan.dataset_id``.
        hire: who plays, by `play_and_record`.
        format: ``"minari"``, ``"parquet"`` or ``"both"``.
        has_observations: whether the Parquet table has observations and masks too.

    Raises:
        ValueError: if the data set exists already, a library is not installed, or the file of unfinished
            games is damaged or from another version.
        RecordingError: if a bot failed, or the files cannot be written.
        WorkersError: if the workers failed.

    """
    check_choice("format", format, FORMATS)
    place = out / plan.dataset_id
    if place.exists():
        remove_unfinished(place)
        raise ValueError(f"{place} exists already: give another --name, or remove it")
    with errors_named(place), unfinished_games(place, plan.spec) as kept, whole_folder(place) as folder:
        writers = Writers(folder, plan, format, has_observations)
        try:
            with closing(recorded_games(list(plan.matches()), hire, kept)) as games:
                for first, group in in_groups(games):
                    writers.write(Replays(group, first))
                    yield from group
            writers.finish()
        except BaseException:
            writers.abandon()
            raise


def in_groups(games: Iterable[RecordedGame]) -> Iterator[tuple[int, list[RecordedGame]]]:
    """Groups of `GAMES_AT_ONCE` games, each with the number of its first."""
    waiting, first = iter(games), 0
    while group := list(islice(waiting, GAMES_AT_ONCE)):
        yield first, group
        first += len(group)


@contextmanager
def errors_named(place: Path) -> Iterator[None]:
    """Say what could not be written."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"cannot write {place}: {error}") from error
