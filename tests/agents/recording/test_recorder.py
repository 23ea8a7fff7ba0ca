"""Data sets are written completely or not at all, and the same plan gives the same data set."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import minari
import numpy as np
import pyarrow.parquet as parquet
import pytest
from msgspec.structs import replace

from pocketmars_agents.arena.matches import Match
from pocketmars_agents.arena.results import GameResult
from pocketmars_agents.arena.results_file import header
from pocketmars_agents.arena.workers import hire_processes
from pocketmars_agents.recording import recorder
from pocketmars_agents.recording.plan import Plan
from pocketmars_agents.recording.recorder import RecordingError, play_and_record, record
from pocketmars_agents.recording.replay import Replays
from pocketmars_env import GameConfig
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.recording.games import plan_of, recorded

SOLO = GameConfig(mode="solo")
LIMITED = """
import resource, sys
from pathlib import Path
from pocketmars_agents.recording.recorder import RecordingError
from pocketmars_env.games.pocket_mars.spec import SPEC
from tests.agents.recording.games import plan_of, recorded

plan = plan_of("solo", games=300)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    recorded(plan, Path(sys.argv[1]), format=sys.argv[2], has_observations=True)
except RecordingError as error:
    print(error)
"""


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a folder by relative path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def small_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recorder, "GAMES_AT_ONCE", 5)


@pytest.mark.usefixtures("small_groups")
def test_the_same_plan_gives_the_same_files_whoever_plays(tmp_path: Path) -> None:
    plan = plan_of("two, draft", games=12)
    for name, jobs in (("one", 1), ("two", 2)):
        recorded(plan, tmp_path / name, jobs, format="both")
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert len(contents(tmp_path / "one")) == 5
    table = parquet.ParquetFile(tmp_path / "one" / plan.dataset_id / "decisions.parquet")
    assert table.num_row_groups == 3
    assert table.read().column("game").to_pylist() == sorted(table.read().column("game").to_pylist())


def test_bots_move_on_by_one_seat_from_game_to_game() -> None:
    plan = plan_of("four", games=5)
    seats = [match.seat_of(0) for match in plan.matches()]
    assert seats == [0, 1, 2, 3, 0]


def test_what_exists_is_not_overwritten(tmp_path: Path) -> None:
    plan = plan_of("solo", games=2)
    recorded(plan, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(ValueError, match="games-v0"):
        recorded(plan, tmp_path)
    assert contents(tmp_path) == before


def test_a_recording_that_was_stopped_continues_with_the_games_it_has(tmp_path: Path) -> None:
    plan, out, played = plan_of("solo", games=300), tmp_path / "out", list[Match]()
    games = record(plan, out, hire_processes(1, play_and_record), "both")
    next(games)
    games.close()
    unfinished = out / f"{plan.dataset_id}.unfinished.jsonl"
    assert [path for path in out.rglob("*") if path.is_file()] == [unfinished]

    def play(matches: Sequence[Match]) -> list[GameResult]:
        played.extend(matches)
        return play_and_record(matches)

    list(record(plan, out, hire_processes(1, play), "both"))
    assert 0 < len(played) < 300
    assert not unfinished.exists()
    recorded(plan, tmp_path / "at once", format="both")
    assert contents(out) == contents(tmp_path / "at once")


def test_what_appears_in_the_meantime_is_kept_and_so_are_the_finished_games(tmp_path: Path) -> None:
    plan = plan_of("solo", games=3)
    place, unfinished = tmp_path / plan.dataset_id, tmp_path / f"{plan.dataset_id}.unfinished.jsonl"
    games = record(plan, tmp_path, hire_processes(1, play_and_record))
    next(games)
    place.mkdir(parents=True)
    (place / "mine").touch()
    with pytest.raises(RecordingError, match=plan.dataset_id.rpartition("/")[2]):
        list(games)
    content = unfinished.read_bytes()
    with pytest.raises(ValueError, match="games-v0"):
        recorded(plan, tmp_path)
    assert [path.name for path in place.iterdir()] == ["mine"]
    assert unfinished.read_bytes() == content


def test_actions_of_unfinished_games_are_checked(tmp_path: Path) -> None:
    plan = plan_of("solo", games=3)
    (game, *_) = play_and_record(list(plan.matches()))
    wrong = replace(game, scores=tuple(score + 1 for score in game.scores))
    unfinished = tmp_path / f"{plan.dataset_id}.unfinished.jsonl"
    unfinished.parent.mkdir()
    unfinished.write_bytes(header(SPEC).to_line() + wrong.to_line())
    with pytest.raises(ValueError, match="game 0"):
        recorded(plan, tmp_path)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [unfinished]


def test_a_bot_that_fails_is_named_and_nothing_is_left_behind(tmp_path: Path) -> None:
    plan = Plan(("tests.agents.bots:Raising",), SOLO, 3, dataset_id="crash-v0")
    with pytest.raises(RecordingError, match="Raising"):
        recorded(plan, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no limit for files")
@pytest.mark.parametrize("format", ["minari", "parquet"])
def test_a_full_disk_is_said_and_finished_games_are_kept(format: str, tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED, str(tmp_path), format]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert str(tmp_path / "tests" / "games-v0") in done.stdout
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ["games-v0.unfinished.jsonl"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecordingError, match="file"):
        recorded(plan_of("solo", games=2), tmp_path / "file")


def test_a_library_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(ValueError, match=r"\.\[data\]"):
        recorded(plan_of("solo", games=2), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_actions_that_do_not_fit_the_game_are_refused() -> None:
    (game,) = play_and_record(list(plan_of("solo", games=1).matches()))
    wrong = replace(game, actions=(0, *game.actions[1:]))
    with pytest.raises(ValueError, match="game 4: action 0 is not legal"):
        Replays([wrong], 4)


def test_observations_in_uint8_are_the_counts_of_those_in_float32(tmp_path: Path) -> None:
    tables, episodes = {}, {}
    for dtype in ("float32", "uint8"):
        plan = Plan(("random",), SOLO, games=3, observation_dtype=dtype)
        recorded(plan, tmp_path / dtype, format="both", has_observations=True)
        folder = tmp_path / dtype / plan.dataset_id
        rows = parquet.read_table(folder / "decisions.parquet")["observation"].to_pylist()
        tables[dtype] = np.array(rows, dtype=dtype)
        dataset = minari.MinariDataset(folder / "data")
        episodes[dtype] = [episode.observations for episode in dataset.iterate_episodes()]
        environment = dataset.recover_environment()
        observation, _ = environment.reset(seed=0)
        assert dataset.observation_space == environment.observation_space
        assert observation.tobytes() == episodes[dtype][0][0].tobytes()
    assert (tables["uint8"] * SPEC.scales).astype(np.float32).tobytes() == tables["float32"].tobytes()
    for counts, numbers in zip(episodes["uint8"], episodes["float32"], strict=True):
        assert counts.dtype == np.uint8
        assert (counts * SPEC.scales).astype(np.float32).tobytes() == numbers.tobytes()
