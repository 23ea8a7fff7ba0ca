"""Functions that play the games of a plan and write the dataset atomically."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import islice
from pathlib import Path

from pocketmars_agents.arena.match_table import play_matches
from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import ResultsFile
from pocketmars_agents.arena.runner import finished_games_of, in_order
from pocketmars_agents.arena.workers import Hire
from pocketmars_agents.recording.columns import Column
from pocketmars_agents.recording.data_card import DataCard
from pocketmars_agents.recording.minari_format import MinariWriter
from pocketmars_agents.recording.parquet_format import ParquetWriter
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.replay import Replays
from pocketmars_env.core.files.writing import whole_folder
from pocketmars_env.core.settings import check_choice

FORMATS = ("minari", "parquet", "both")
GAMES_AT_ONCE = 128
"""The maximum number of games that are replayed and written together."""


class RecordingError(RuntimeError):
    """Raised if a recording fails; the next recording of the same plan reuses the finished games."""


def play_and_record(matches: Sequence[Match]) -> list[GameResult]:
    """Play games that have the same configuration, and return the results."""
    results = play_matches(matches)
    for result in results:
        if result.failure is not None:
            bot = result.match.bot_at(result.failure.seat)
            raise RecordingError(
                f"{bot} failed in the game with seed {result.match.seed}: {result.failure.reason}"
            )
    return results


def record(
    plan: Plan,
    out: Path,
    hire: Hire,
    format: str = "minari",
    has_observations: bool = False,
    own_columns: Sequence[Column] = (),
) -> Generator[GameResult, None, None]:
    """Play and write all games of a plan, yielding the result of each game after the game is written.

    The dataset appears at its path after the last game. Until then, finished games are saved in a file next
    to that path. If the process is interrupted or killed, the next recording of the same plan resumes from
    this file.
    """
    check_choice("format", format, FORMATS)
    path = out / plan.dataset_id
    if path.exists():
        raise ValueError(f"{path} exists already: give another --name, or remove it")
    with errors_named(path), unfinished_games(path, plan) as file, whole_folder(path) as folder:
        writers: list[MinariWriter | ParquetWriter] = []
        if format != "parquet":
            writers.append(MinariWriter(folder, plan))
        if format != "minari":
            writers.append(ParquetWriter(folder, plan, has_observations, own_columns))
        matches, card = list(plan.matches()), DataCard(plan)
        try:
            with closing(finished_games_of(matches, hire, file)) as finished:
                for first, group in in_groups(in_order(finished, matches)):
                    replays = Replays(group, first)
                    for writer in writers:
                        writer.write(replays)
                    for game in group:
                        card.count(game)
                        yield game
            for writer in writers:
                writer.finish()
            card.write(folder)
        except BaseException:
            for writer in writers:
                with suppress(OSError, RuntimeError):  # on a full disk, closing fails too
                    writer.close()
            raise


def in_groups(games: Iterator[GameResult]) -> Iterator[tuple[int, list[GameResult]]]:
    """Yield groups of up to `GAMES_AT_ONCE` games, each with the index of its first game."""
    first = 0
    while group := list(islice(games, GAMES_AT_ONCE)):
        yield first, group
        first += len(group)


@contextmanager
def errors_named(path: Path) -> Iterator[None]:
    """Convert an OSError in a ``with`` block into a RecordingError that names the dataset's path."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"cannot write {path}: {error}") from error


# --- an unfinished recording ------------------------------------------------------------------------


def unfinished_path(dataset_path: Path) -> Path:
    """Return the path of the file with the finished games, next to `dataset_path`."""
    return dataset_path.with_name(f"{dataset_path.name}.unfinished.jsonl")


@contextmanager
def unfinished_games(dataset_path: Path, plan: Plan) -> Iterator[ResultsFile]:
    """Open the file for the games finished so far; after an interruption, it already contains games.

    On exit, the file is removed if the ``with`` block has succeeded or if the file contains no games. If this
    function has created the folder of the file and the folder is now empty, the folder is removed too.
    """
    path = unfinished_path(dataset_path)
    is_new_folder = not path.parent.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    file = ResultsFile(path, plan.spec)
    is_complete = False
    try:
        yield file
        is_complete = True
    finally:
        file.close()
        if is_complete or not file.size:
            path.unlink(missing_ok=True)
            if is_new_folder:
                with suppress(OSError):  # fails if the folder contains the dataset
                    path.parent.rmdir()
